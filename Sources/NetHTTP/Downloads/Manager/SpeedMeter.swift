/// The speed of a download over the last seconds.
struct SpeedMeter: Sendable {
    /// The length of the measured period.
    static let window = Duration.seconds(3)
    /// The minimum time between two measurements, which bounds their number in the window.
    private static let spacing = Duration.milliseconds(100)

    private var samples: [(time: Duration, bytes: Int64)] = []

    /// Records the current number of bytes. If it has decreased, measuring restarts.
    mutating func note(_ bytes: Int64, at time: Duration) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.count > 1, time - samples[samples.count - 2].time < Self.spacing { samples.removeLast() }
        samples.append((time, bytes))
        forget(before: time)
    }

    /// Restarts measuring, such as after a pause.
    mutating func reset() { samples = [] }

    /// Returns the bytes per second; nil if there is only one measurement. The value falls while no bytes arrive.
    mutating func speed(at time: Duration) -> Double? {
        forget(before: time)
        guard let first = samples.first, let last = samples.last, time > first.time else { return nil }
        return Double(last.bytes - first.bytes) / (time - first.time).inSeconds
    }

    /// Keeps the newest measurement before the window, to determine the bytes at the window's start.
    private mutating func forget(before time: Duration) {
        while samples.count > 1, time - samples[1].time >= Self.window { samples.removeFirst() }
        if samples.count > 1, time - samples[0].time > Self.window {
            // The window starts between two measurements: interpolate linearly.
            let (old, next) = (samples[0], samples[1])
            let part = (time - Self.window - old.time).inSeconds / (next.time - old.time).inSeconds
            samples[0] = (time - Self.window, old.bytes + Int64(Double(next.bytes - old.bytes) * min(1, max(0, part))))
        } else if samples.count == 1, time - samples[0].time > Self.window {
            samples[0].time = time - Self.window
        }
    }
}
