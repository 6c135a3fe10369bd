extension LoadProgram {
    /// Opens connections by concurrent requests for slow responses, then measures their memory at rest.
    static func idle(
        _ client: some LoadClient, _ settings: LoadSettings
    ) async throws -> KeyValuePairs<String, Double> {
        // The cost of what the first request loads and allocates doesn't belong to a connection.
        _ = try await client.get(settings.url)
        try await Task.sleep(for: .milliseconds(200))
        let memory = ProcessUsage.residentBytes
        let sockets = ProcessUsage.sockets
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<settings.concurrency {
                group.addTask { _ = try await client.get(settings.slowURL) }
            }
            try await group.waitForAll()
        }
        try await Task.sleep(for: .seconds(1))
        let connections = ProcessUsage.sockets - sockets
        let growth = ProcessUsage.residentBytes - memory
        return ["connections": Double(connections), "memory": Double(growth) / Double(max(1, connections))]
    }
}
