"""What is wrong with a workbook that came back filled in: spec and cells in, findings out."""
