"""The look of the HTML report: the workbooks' colours, screen and print."""

CSS = """
@page{size:auto;margin:11mm 12mm}
*{box-sizing:border-box}
body{margin:0;background:#eef1f5;color:#1a1a1a;font:14px/1.4 Calibri,Carlito,"Segoe UI",Arial,sans-serif}
.sheet{background:#fff;max-width:900px;margin:18px auto;padding:0 34px 26px;box-shadow:0 1px 6px #0002}
header{display:flex;justify-content:space-between;align-items:center;gap:20px;
margin:0 -34px 14px;padding:16px 34px;background:#1f3a5f;color:#fff;border-left:10px solid #2e7d32}
header.bad{border-color:#b3261e}header.warn{border-color:#e0a800}
header h1{margin:0;font-size:25px;letter-spacing:.3px}
header .kind{margin:0;color:#c9d6e6;font-size:12px;text-transform:uppercase;letter-spacing:1px}
header .file{margin:0;text-align:right;color:#e4edf6;overflow-wrap:anywhere}
h1{color:#1f3a5f;font-size:22px;margin:22px 0 8px}.sheet>h1:first-child{margin-top:0;padding-top:22px}header h1{color:#fff}
h2{color:#1f3a5f;font-size:15px;margin:14px 0 4px;border-bottom:2px solid #1f3a5f;padding-bottom:2px}
h2 small{color:#6b7280;font-weight:normal}
dl{display:grid;grid-template-columns:90px 1fr;gap:1px 12px;margin:0}
dt{color:#6b7280;font-size:12.5px}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th{text-align:left;color:#1f3a5f}
td,th{padding:2px 10px 2px 0;border-bottom:1px solid #d9dee5;vertical-align:top}
.n{text-align:right;font-variant-numeric:tabular-nums}
.good{color:#2e7d32}.warn{color:#8a5a00}.bad{color:#b3261e}header.good,header.warn,header.bad{color:#fff}
ol.top{margin:4px 0;padding-left:22px}ol.top li{margin:3px 0}
.money{font-weight:bold;color:#1f3a5f}
code{font:12px Consolas,"DejaVu Sans Mono",monospace;background:#f3f6fa;padding:0 3px;overflow-wrap:anywhere}
[class^=tag-]{font-size:11px;text-transform:uppercase;padding:1px 6px;border-radius:3px}
.tag-high{background:#fbe9e7;color:#b3261e}.tag-medium{background:#fff1d6;color:#8a5a00}
.tag-low{background:#e4edf6;color:#1f3a5f}.tag-info{background:#eef1f5;color:#6b7280}
.two{display:grid;grid-template-columns:1fr 1fr;gap:0 26px}.two div:first-child:nth-last-child(3){grid-row:span 2}
ul{margin:2px 0;padding-left:18px;font-size:12.5px}
.lead{font-size:15px;margin:6px 0}.what{color:#6b7280}
.sign{display:grid;grid-template-columns:2fr 1fr 2fr;gap:24px;margin-top:34px}
.sign p{border-top:1px solid #1a1a1a;margin:0;padding-top:2px;color:#6b7280;font-size:12px}
article{border-left:4px solid #d9dee5;padding:4px 0 6px 12px;margin:8px 0;break-inside:avoid}
article.high{border-color:#b3261e}article.medium{border-color:#e0a800}article.low{border-color:#2e86ab}
article .head{margin:0 0 3px}
svg text{font:11.5px Calibri,Carlito,"Segoe UI",Arial,sans-serif;fill:#1a1a1a}
@media print{body{background:#fff;font-size:9.5pt;line-height:1.25;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.sheet{box-shadow:none;margin:0;padding:0;max-width:none}.first{break-after:page}
header{margin:0 0 8px;padding:9px 14px}header h1{font-size:17pt}h2{font-size:11pt;margin:8px 0 2px}
ul,dt,.sign p{font-size:8pt}td,th{padding:1px 8px 1px 0}code{font-size:8pt}.sign{margin-top:26px}
ol.top li{margin:1px 0}svg{max-height:46mm}}
"""  # noqa: E501
