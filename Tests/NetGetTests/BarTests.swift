#if Tools
import NetCore
import NetHTTP
import Testing

@testable import net_get

struct BarTests {
    private static func plain(_ width: Int, height: Int = 20) -> BarRenderer {
        BarRenderer(width: width, height: height, isColoured: false)
    }

    @Test(arguments: [20, 29, 30, 40, 49, 50, 69, 70, 99, 100, 120, 300])
    func noLineIsWiderThanTheTerminal(_ width: Int) {
        for line in Self.plain(width).lines(Rows.all) {
            #expect(TerminalText.columns(line.text) <= width, "\(width): \(line.text)")
            #expect(line.columns == TerminalText.columns(line.text), "\(width): \(line.text)")
        }
    }

    @Test func aWideTerminalShowsEverything() {
        let lines = Self.plain(120).lines([Rows.film])
        #expect(
            lines.map(\.text) == [
                "film.mp4 \(String(repeating: "━", count: 29))\(String(repeating: "─", count: 36))  45 %"
                    + "   12.3 MB of 27.2 MB   3.4 MB/s    0:05"
            ])
    }

    @Test func aNarrowTerminalShowsNameShareAndSpeed() {
        let lines = Self.plain(40).lines([Rows.film, Rows.long])
        #expect(lines[0].text == "film.mp4                 45 %   3.4 MB/s")
        #expect(lines[1].text.hasPrefix("a-very-long-name-of-a-…"))
    }

    @Test func coloursTakeNoRoom() {
        let bare = Self.plain(80).lines(Rows.all)
        let coloured = BarRenderer(width: 80, height: 20, isColoured: true).lines(Rows.all)
        for (one, other) in zip(bare, coloured) {
            #expect(one.columns == other.columns)
            #expect(other.text.replacing(/\u{1b}\[[0-9]+m/, with: "") == one.text)
        }
        #expect(!bare.contains { $0.text.contains("\u{1b}") })
        #expect(coloured.contains { $0.text.contains("\u{1b}[36m") })
    }

    @Test func aTerminalWithoutUnicodeGetsASCII() {
        let renderer = BarRenderer(width: 80, isColoured: false, isASCII: true)
        #expect(renderer.lines([Rows.film, Rows.unknown]).allSatisfy { $0.text.utf8.count == $0.text.count })
        #expect(renderer.ended(Row(name: "a", state: .completed, bytes: 5), path: nil, took: nil).text == "+ a  5 B")
    }

    @Test func anUnknownSizeMovesABlock() {
        var row = Rows.unknown
        let first = Self.plain(60).lines([row])[0].text
        row.bytes += 256 << 10
        let second = Self.plain(60).lines([row])[0].text
        #expect(first != second)
        #expect(first.filter { $0 == "━" }.count == second.filter { $0 == "━" }.count)
        #expect(!first.contains("%"))
    }

    @Test func manyDownloadsFitIntoTheHeight() throws {
        let rows = (0..<50).map { Rows.row("f\($0)", bytes: 1, total: 2, speed: nil, left: nil) }
        let lines = Self.plain(80, height: 10).lines(rows)
        try #require(lines.count == 9)
        #expect(lines[7].text == "and 43 more")
        #expect(lines[8].text.hasPrefix("0 of 50 files"))
        #expect(Self.plain(80, height: 1).lines(rows).count <= 2)
    }

    @Test func endedDownloadsHaveNoBar() throws {
        #expect(Self.plain(80).lines([Rows.state(.completed), Rows.state(.failed)]).isEmpty)
        let text = Self.plain(80).lines([Rows.state(.completed), Rows.film]).map(\.text)
        try #require(text.count == 2)
        #expect(text[1] == "1 of 2 files, 12.3 MB, 3.4 MB/s, 0:05 left")
    }

    @Test func anEndIsToldInALine() {
        let renderer = Self.plain(80)
        let done = Row(name: "a.iso", state: .completed, bytes: 2_500_000, total: 2_500_000)
        #expect(renderer.ended(done, path: "/tmp/a.iso", took: .seconds(61)).text == "✓ /tmp/a.iso  2.5 MB in 1:01")
        #expect(
            renderer.ended(Rows.state(.failed, "no room"), path: nil, took: nil).text == "✗ other-failed.iso  no room")
    }

    @Test(arguments: [(0.0, "0:00"), (0.2, "0:01"), (65, "1:05"), (3723, "1:02:03"), (172_800, "2 d"), (-5, "0:00")])
    func timeLeftIsShort(_ seconds: Double, _ text: String) {
        #expect(Row.clock(.seconds(seconds)) == text)
    }
}

struct ScreenTests {
    private static func line(_ text: String) -> Line { Line(text: text, columns: text.count) }

    @Test func barsAreDrawnOverThemselves() {
        var screen = Screen()
        #expect(screen.frame(bars: [Self.line("a"), Self.line("b")], width: 80) == "a\nb\n")
        #expect(screen.frame(bars: [Self.line("c")], width: 80) == "\u{1b}[2A\r\u{1b}[Jc\n")
        #expect(screen.frame(staying: [Self.line("done")], bars: [], width: 80) == "\u{1b}[1A\r\u{1b}[Jdone\n")
        #expect(screen.frame(bars: [], width: 80) == "")
    }

    @Test func aTerminalThatBecameNarrowerHasBrokenTheLines() {
        var screen = Screen()
        _ = screen.frame(bars: [Self.line(String(repeating: "x", count: 100)), Self.line("b")], width: 100)
        #expect(screen.frame(bars: [], width: 40) == "\u{1b}[4A\r\u{1b}[J")
    }
}
#endif
