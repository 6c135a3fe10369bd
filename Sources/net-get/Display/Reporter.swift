#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// Writes the progress as bars, lines or JSON.
actor Reporter {
    private enum Form {
        case bars(Screen)
        case lines(PlainLine)
        case json
        case quiet
    }

    private var form: Form
    private var board = Board()
    private var staying: [Line] = []
    private var refusals = 0
    private let clock = NetClock.system

    init(isJSON: Bool, isQuiet: Bool) {
        form = isJSON ? .json : isQuiet ? .quiet : StandardOutput.isTerminal ? .bars(Screen()) : .lines(PlainLine())
    }

    /// True if there are no downloads.
    var isEmpty: Bool { board.count == 0 }
    /// The number of downloads that failed or were refused.
    var failed: Int { board.failed + refusals }

    /// Counts downloads that could not be started.
    func refused(_ count: Int) { refusals += count }

    /// Adds downloads before their first events.
    func expect(_ tasks: [DownloadTask]) {
        for task in tasks { board.expect(task) }
    }

    /// Updates the downloads to their current states, regardless of missed events.
    func take(_ tasks: [DownloadTask]) {
        for task in tasks { board.update(task) }
    }

    /// Applies and writes an event; returns true if all downloads have ended.
    func take(_ event: DownloadEvent) -> Bool {
        board.apply(event)
        if let row = board[event.task.id] { tell(event, row) }
        return board.isDone
    }

    private func tell(_ event: DownloadEvent, _ row: Row) {
        switch form {
        case .bars:
            guard case .state(let state) = event.kind, state.isFinal else { return }
            let took = event.task.startedAt.flatMap { start in
                event.task.endedAt.map { Duration.nearest(seconds: $0.timeIntervalSince(start)) }
            }
            staying.append(renderer.ended(row, path: event.task.localURL?.path, took: took))
            draw()
        case .lines(var lines):
            if let text = lines.text(of: event, row, now: clock.now()) { StandardOutput.write(text + "\n") }
            form = .lines(lines)
        case .json:
            write(JSONLine(event))
        case .quiet:
            if case .state(.failed) = event.kind { Self.complain("\(row.name): \(row.remark ?? "failed")") }
        }
    }

    /// Draws the current bars.
    func draw() {
        guard case .bars(var screen) = form else { return }
        let renderer = renderer
        StandardOutput.write(screen.frame(staying: staying, bars: renderer.lines(board.rows), width: renderer.width))
        staying = []
        form = .bars(screen)
    }

    /// Writes the final summary.
    func end(isInterrupted: Bool, command: String) {
        draw()
        if case .json = form {
            write(JSONLine(completed: board.completed, failed: failed, isInterrupted: isInterrupted))
        } else if isInterrupted {
            Self.complain("paused; the received data is kept. Resume with: \(command)")
        } else if board.failed > 0 {
            Self.complain("\(board.failed) of \(board.count) files failed")
        }
    }

    private func write(_ line: JSONLine?) {
        guard let line, let text = try? line.text() else { return }
        StandardOutput.write(text + "\n")
    }

    private var renderer: BarRenderer {
        let size = StandardOutput.size
        return BarRenderer(
            width: size.width, height: size.height, isColoured: StandardOutput.isColoured,
            isASCII: !StandardOutput.isUnicode)
    }

    /// Writes to standard error.
    static func complain(_ text: String) {
        FileHandle.standardError.write(Data("net-get: \(text)\n".utf8))
    }
}
#endif
