public import NetCore
internal import NetRecord

/// The requests that a client may send to a server, and the server's responses: a list of expectations that can be
/// stored in a file.
///
/// One contract serves both sides. A ``ContractTransport`` responds to a client from the contract, and fails on the
/// first request that isn't in it; over a real transport, it also compares the real responses with the expected ones.
/// As stubs, the contract responds from memory or over a socket.
///
///     var contract = Contract("users")
///     contract.expectations = [
///         Contract.Expectation("get-user", .get, "/users/{id}", .json(["id": 7, "name": "Ada"])),
///         Contract.Expectation("no-such-user", .get, "/users/0", .response(.init(status: .notFound))),
///     ]
///     try contract.write(to: "Contracts/users.json")
public struct Contract: Sendable {
    /// The version of the written file, and the newest version that can be read.
    public static let version = 1

    /// The subject of the contract: the name of the suite in a report.
    public var name: String
    /// True if query items, header fields, JSON members and form fields that no expectation names are drift. Fields
    /// that clients add automatically (``automaticHeaders``) are ignored. Default false.
    public var isStrict: Bool
    /// True if requests must arrive in the order of the list. Default false: any order.
    public var isOrdered: Bool
    /// The text that matches any value: in rules, and anywhere in JSON. Default `<redacted>`, so that values hidden in
    /// a recording aren't compared.
    public var wildcard: String
    /// The expectations; the first one that matches a request and isn't used up determines the response.
    public var expectations: [Expectation]

    /// Creates a contract.
    public init(
        _ name: String, isStrict: Bool = false, isOrdered: Bool = false, wildcard: String = "<redacted>",
        expectations: [Expectation] = []
    ) {
        self.name = name
        self.isStrict = isStrict
        self.isOrdered = isOrdered
        self.wildcard = wildcard
        self.expectations = expectations
    }

    /// Reads a contract from a file.
    ///
    /// Throws `.decoding` for a file that can't be read; the error has the line and position, the problem, and how to
    /// fix it. Unknown or duplicate members are errors, so that a typing mistake doesn't weaken a contract.
    public init(contentsOf path: String) throws(NetError) {
        do { self = try ContractReader(file: path).contract() } catch { throw NetError(error) }
    }

    /// Writes the contract with sorted keys, atomically.
    ///
    /// Throws `.decoding` if the existing file can't be read as a contract, and leaves the file unchanged. Throws
    /// `.encoding` for a rule that exists only in code.
    public func write(to path: String) throws(NetError) {
        let text = try ContractWriter(contract: self).text()
        do {
            try ContractReader(file: path).checkReplaceable()
            try RecordFile(path).write(text)
        } catch {
            throw NetError(error)
        }
    }
}
