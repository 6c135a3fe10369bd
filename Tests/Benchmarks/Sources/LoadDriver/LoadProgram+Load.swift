extension LoadProgram {
    /// Runs `operation` in the requested number of tasks, each with one call after another.
    static func load(
        _ client: some LoadClient, _ settings: LoadSettings, operation: @escaping @Sendable () async throws -> Int
    ) async -> KeyValuePairs<String, Double> {
        let window = MeasuredWindow(warmUp: settings.warmUp, seconds: settings.seconds)
        let executor = settings.usesExecutor ? client.executor : nil
        let latencies = await withTaskGroup(of: LatencyHistogram.self) { group in
            for _ in 0..<settings.concurrency {
                group.addTask(executorPreference: executor) { await repeatedly(operation, in: window) }
            }
            return await group.reduce(into: LatencyHistogram()) { $0.merge($1) }
        }
        let total = window.total
        return [
            "requests": Double(total.requests), "errors": Double(window.failures),
            "cpu": total.cpuMicroseconds / Double(max(1, total.requests)), "p50": latencies.median,
        ]
    }

    private static func repeatedly(
        _ operation: @Sendable () async throws -> Int, in window: MeasuredWindow
    ) async -> LatencyHistogram {
        var latencies = LatencyHistogram()
        var begin = ProcessUsage.monotonicNanoseconds
        while begin < window.closes {
            do {
                guard try await operation() > 0 else { throw UnexpectedAnswer("an empty answer") }
            } catch {
                if window.fail() { complain("\(error)") }
            }
            let end = ProcessUsage.monotonicNanoseconds
            window.complete(at: end)
            if begin >= window.opens { latencies.record(nanoseconds: end - begin) }
            begin = end
        }
        return latencies
    }

    /// Downloads until the time is over, at least once, after one download that only opens the connection.
    static func download(
        _ client: some LoadClient, _ settings: LoadSettings
    ) async throws -> KeyValuePairs<String, Double> {
        _ = try await client.download(settings.url)
        let cpu = ProcessUsage.cpuMicroseconds
        let end = ProcessUsage.monotonicNanoseconds + UInt64(settings.seconds * 1e9)
        var bytes = 0
        var count = 0
        repeat {
            bytes += try await client.download(settings.url)
            count += 1
        } while ProcessUsage.monotonicNanoseconds < end
        let spent = (ProcessUsage.cpuMicroseconds - cpu) / 1000
        return ["requests": Double(count), "bytes": Double(bytes), "cpu": spent / (Double(bytes) / 1e8)]
    }
}
