"""The add-in for LibreOffice Calc: one extension file in pure Python."""
