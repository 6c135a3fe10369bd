import NetCore

/// Values of public types with a secret in every place that can contain one.
struct PlantedValues {
    static let mark = "PLANTED"
    static let json = #"{"password":"PLANTED","user":"ada"}"#
    static let url = "https://ann:PLANTED@api.test/login?access_token=PLANTED&page=2#token=PLANTED"

    private(set) var values: [Any] = []

    mutating func plant(_ new: Any...) { values += new }

    mutating func plantEach(_ new: [some Any]) { values += new.map { $0 as Any } }

    /// Returns all values, including those that need a server or a connection.
    static func all() async throws -> [Any] {
        var planted = PlantedValues()
        try planted.plantRequests()
        try planted.plantResponses()
        try planted.plantErrors()
        try planted.plantSettings()
        try planted.plantClients()
        planted.plantDecisions()
        try await planted.plantMessages()
        try planted.plantTestDoubles()
        try await planted.plantUsedDoubles()
        try await planted.plantSockets()
        #if Server
        try await planted.plantServers()
        try await planted.plantSocketServer()
        #endif
        return planted.values
    }
}
