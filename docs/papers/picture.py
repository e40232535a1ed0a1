"""An SVG file, element by element."""

import html

INK, FAINT, WHITE = "#1d2733", "#6b7684", "#ffffff"
DONE, NOW, LIGHT = "#ccd2da", "#f5b04c", "#fbe3bd"
BLUE, GREEN, RED = "#a9cdee", "#b3dda9", "#f3b8a8"  # of memory: device, shared, registers
BLUE_INK, RED_INK = "#1c62a8", "#b3261e"


class Picture:
    """Elements of an SVG file. Coordinates are pixels; a text's `y` is its middle."""

    def __init__(self, name, width, height, title):
        self.name, self.width, self.height, self.title, self.elements = name, width, height, title, []

    def add(self, tag, text=None, **attributes):
        words = "".join(f' {key.replace("_", "-")}="{number(value)}"' for key, value in attributes.items())
        end = "/>" if text is None else f">{html.escape(str(text), quote=False)}</{tag}>"
        self.elements.append(f"<{tag}{words}{end}")

    def box(self, x, y, width, height, fill=WHITE, label=None, size=14, stroke=FAINT, stroke_width=1):
        self.add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=stroke, stroke_width=stroke_width)
        if label is not None:
            self.text(x + width / 2, y + height / 2, label, size)

    def frame(self, x, y, width, height, colour=INK, stroke_width=2):
        self.box(x, y, width, height, "none", stroke=colour, stroke_width=stroke_width)

    def grid(self, x, y, columns, rows, width, height, fill, label=lambda column, row: None, size=14):
        for row in range(rows):
            for column in range(columns):
                self.box(x + column * width, y + row * height, width, height, fill(column, row), label(column, row),
                         size)

    def text(self, x, y, text, size=14, anchor="middle", fill=INK, weight="normal"):
        self.add("text", text, x=x, y=y + 0.35 * size, font_size=size, text_anchor=anchor, fill=fill,
                 font_weight=weight)

    def note(self, x, y, *lines, size=14, anchor="start"):
        for k, line in enumerate(lines):
            self.text(x, y + k * (size + 5), line, size, anchor)

    def heading(self, x, y, text, anchor="start"):
        self.text(x, y, text, 15, anchor, weight="bold")

    def line(self, x1, y1, x2, y2, colour=INK, stroke_width=2, **more):
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=stroke_width, **more)

    def arrow(self, x1, y1, x2, y2, colour=INK, stroke_width=2):
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - 8 * dx, y2 - 8 * dy
        self.line(x1, y1, bx, by, colour, stroke_width)
        corners = [(x2, y2), (bx - 4 * dy, by + 4 * dx), (bx + 4 * dy, by - 4 * dx)]
        self.add("polygon", points=" ".join(f"{number(a)},{number(b)}" for a, b in corners), fill=colour)

    def legend(self, x, y, *entries):
        for k, (fill, text) in enumerate(entries):
            self.box(x, y + 24 * k, 16, 16, fill)
            self.text(x + 24, y + 24 * k + 8, text, 14, "start")

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" font-family="sans-serif" role="img">')
        background = f'<rect width="{self.width}" height="{self.height}" fill="{WHITE}"/>'
        title = f"<title>{html.escape(self.title)}</title>"
        return "\n".join([head, title, background, *self.elements, "</svg>", ""])


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
