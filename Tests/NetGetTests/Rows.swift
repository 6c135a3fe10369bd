#if Tools
import Foundation
import NetHTTP

@testable import net_get

/// Downloads of all kinds, as they are displayed.
enum Rows {
    static let film = row("film.mp4", bytes: 12_345_678, total: 27_200_000, speed: 3_400_000, left: .seconds(5))
    static let unknown = row("stream.bin", bytes: 900_000, total: nil, speed: 120_000, left: nil)
    static let long = row(
        "a-very-long-name-of-a-file-that-nobody-would-ever-type-by-hand-2026-11-26.tar.zst", bytes: 5,
        total: 1_000_000_000,
        speed: nil, left: nil)
    static let wide = row("漢字漢字漢字漢字漢字漢字漢字漢字.pdf", bytes: 50, total: 100, speed: 10, left: .seconds(90_000))

    static let all = [film, unknown, long, wide, state(.queued), state(.waiting), state(.paused)]

    static func row(_ name: String, bytes: Int64, total: Int64?, speed: Double?, left: Duration?) -> Row {
        Row(name: name, state: .downloading, bytes: bytes, total: total, speed: speed, timeLeft: left)
    }

    static func state(_ state: DownloadState, _ remark: String? = nil) -> Row {
        Row(name: "other-\(state.rawValue).iso", state: state, bytes: 10, total: 40, remark: remark)
    }
}
#endif
