"""librsvg draws the score plot of a search, and the plot shows as many pairs and hits as there are."""

import re
import struct
import xml.etree.ElementTree
import zlib

from common import Comparison, alnus, main, run

SVG = "{http://www.w3.org/2000/svg}"
WHITE = (255, 255, 255)


def read_png(path):
    """Returns the rows of (red, green, blue) pixels of an opaque picture with eight bits for each colour."""
    content, at, chunks = path.read_bytes(), 8, {}
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        chunks[kind] = chunks.get(kind, b"") + content[at + 8:at + 8 + length]
        at += 12 + length
    width, height, depth, colours = struct.unpack_from(">IIBB", chunks[b"IHDR"])
    channels = {2: 3, 6: 4}[colours]
    assert depth == 8
    data, stride = zlib.decompress(chunks[b"IDAT"]), width * channels
    above, rows = bytearray(stride), []
    for row in range(height):
        begin = row * (stride + 1)
        line = bytearray(data[begin + 1:begin + 1 + stride])
        undo_filter(data[begin], line, above, channels)
        pixels = [tuple(line[k:k + channels]) for k in range(0, stride, channels)]
        assert all(pixel[3:] in ((), (255,)) for pixel in pixels)
        rows.append([pixel[:3] for pixel in pixels])
        above = line
    return rows


def undo_filter(kind, line, above, channels):
    """Reverses the filter of a line of pixels (section 9 of the PNG specification)."""
    if kind == 0:
        return
    for k, value in enumerate(line):
        left, corner = (line[k - channels], above[k - channels]) if k >= channels else (0, 0)
        up = above[k]
        if kind == 4:
            estimate = left + up - corner
            predicted = min((left, up, corner), key=lambda near: abs(estimate - near))
        else:
            predicted = {1: left, 2: up, 3: (left + up) // 2}[kind]
        line[k] = (value + predicted) % 256


def colour(word):
    return tuple(bytes.fromhex(word.removeprefix("#")))


class ScorePlot(Comparison):
    def setUp(self):
        path = self.folder / "plot.svg"
        self.hits = alnus("search", self.folder / "q.fasta", self.folder / "database.fasta", "--score-plot", path)
        self.subjects = (self.folder / "database.fasta").read_text().count(">")
        run(["rsvg-convert", "-o", "plot.png", path], self.folder)
        self.svg = xml.etree.ElementTree.parse(path).getroot()
        self.pixels = read_png(self.folder / "plot.png")

    def bars(self, of_what):
        """Yields (fill, left, top, width, height) of each bar."""
        for group in self.svg.iter(SVG + "g"):
            if group.get("class") == of_what:
                for bar in group.iter(SVG + "rect"):
                    yield colour(group.get("fill")), *(float(bar.get(name)) for name in ("x", "y", "width", "height"))

    def counts(self, of_what):
        """Yields the counts that the bars show, computed from the heights of the axis' marks at 1 and 10."""
        (axis,) = (group for group in self.svg.iter(SVG + "g") if group.get("id") == "counts")
        heights = dict.fromkeys(float(line.get("y1")) for line in axis.iter(SVG + "line"))
        ticks = dict(zip((label.text for label in axis.iter(SVG + "text")), heights))
        for _, _, top, _, _ in self.bars(of_what):
            yield 10 ** ((ticks["1"] - top) / (ticks["1"] - ticks["10"]))

    def in_legend(self, what):
        texts = " ".join(text.text for text in self.svg.iter(SVG + "text"))
        return int(re.search(rf"([\d,]+) {what}", texts)[1].replace(",", ""))

    def test_all_pairs_and_hits_are_shown(self):
        pairs = len(self.q) * self.subjects
        self.assertEqual(self.in_legend("pairs"), pairs)
        self.assertAlmostEqual(sum(self.counts("pairs")), pairs, delta=0.01 * pairs)
        self.assertGreater(len(self.hits), len(self.q))
        self.assertEqual(self.in_legend("reported hits"), len(self.hits))
        self.assertAlmostEqual(sum(self.counts("hits")), len(self.hits), delta=0.01 * len(self.hits))

    def test_picture(self):
        self.assertEqual((len(self.pixels[0]), len(self.pixels)), (960, 540))
        for corner in (self.pixels[y][x] for x in (0, -1) for y in (0, -1)):
            self.assertEqual(corner, WHITE)
        for what in ("pairs", "hits"):
            wide = [bar for bar in self.bars(what) if bar[3] >= 3]
            self.assertGreater(len(wide), 5)
            # Some bars are hidden by the curve, the dashed line, or a bar of hits.
            seen = [fill for fill, left, top, width, height in wide
                    if self.pixels[int(top + min(height / 2, 6))][int(left + width / 2)] == fill]
            self.assertGreater(len(seen), 0.5 * len(wide), what)
        (curve, *_) = self.svg.iter(SVG + "polyline")
        ink = colour(curve.get("stroke"))
        points = [point.split(",") for point in curve.get("points").split()]
        inside = [(int(float(x)), int(float(y))) for x, y in points if float(y) < 460]
        self.assertGreater(len(inside), 10)
        for x, y in inside:
            near = [self.pixels[y + dy][x + dx] for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            self.assertIn(ink, near, (x, y))


if __name__ == "__main__":
    main(("rsvg-convert", "librsvg2-bin"))
