"""How results become text, tables, pages and figures. It knows no feature and decides nothing about measuring."""
