/// The speed of a download over the last seconds.
struct SpeedMeter: Sendable {
    /// The time that counts.
    static let window = Duration.seconds(3)
    /// Two measurements are at least that far apart, so that a window has a bounded number of them.
    private static let spacing = Duration.milliseconds(100)

    private var samples: [(time: Duration, bytes: Int64)] = []

    /// Notes the bytes that are there. Fewer than before begin anew.
    mutating func note(_ bytes: Int64, at time: Duration) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.count > 1, time - samples[samples.count - 2].time < Self.spacing { samples.removeLast() }
        samples.append((time, bytes))
        forget(before: time)
    }

    /// Begins anew: after a pause.
    mutating func reset() { samples = [] }

    /// The bytes per second; nil if there is only one measurement. It falls while no bytes come.
    mutating func speed(at time: Duration) -> Double? {
        forget(before: time)
        guard let first = samples.first, let last = samples.last, time > first.time else { return nil }
        return Double(last.bytes - first.bytes) / (time - first.time).inSeconds
    }

    /// Keeps the newest measurement from before the window, where the window's bytes begin.
    private mutating func forget(before time: Duration) {
        while samples.count > 1, time - samples[1].time >= Self.window { samples.removeFirst() }
        if samples.count > 1, time - samples[0].time > Self.window {
            // Between two measurements: as if the bytes had come evenly.
            let (old, next) = (samples[0], samples[1])
            let part = (time - Self.window - old.time).inSeconds / (next.time - old.time).inSeconds
            samples[0] = (time - Self.window, old.bytes + Int64(Double(next.bytes - old.bytes) * min(1, max(0, part))))
        } else if samples.count == 1, time - samples[0].time > Self.window {
            samples[0].time = time - Self.window
        }
    }
}
