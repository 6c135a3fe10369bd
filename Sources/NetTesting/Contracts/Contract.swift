public import NetCore
internal import NetRecord

/// What a client may ask of a server, and what the server answers: a list of expectations that a file can hold.
///
/// One contract serves both sides. A ``ContractTransport`` answers a client from it and fails at the first request that
/// is not in it; over a real transport it also compares the real answers with the expected ones. As stubs it answers
/// from memory or over a socket.
///
///     var contract = Contract("users")
///     contract.expectations = [
///         Contract.Expectation("get-user", .get, "/users/{id}", .json(["id": 7, "name": "Ada"])),
///         Contract.Expectation("no-such-user", .get, "/users/0", .response(.init(status: .notFound))),
///     ]
///     try contract.write(to: "Contracts/users.json")
public struct Contract: Sendable {
    /// The version of the file that is written, and the newest that is read.
    public static let version = 1

    /// What the contract is about: the name of the suite in a report.
    public var name: String
    /// Whether query items, fields, members of JSON and form fields that no expectation names are drift. Fields that
    /// clients add by themselves (``automaticHeaders``) are let be. Default false.
    public var isStrict: Bool
    /// Whether requests must come in the order of the list. Default false: in any order.
    public var isOrdered: Bool
    /// The text that stands for any value: in rules, and in JSON at any place. Default `<redacted>`, so that what was
    /// hidden in a recording is not compared.
    public var wildcard: String
    /// The expectations; the first that a request matches and that is not used up answers.
    public var expectations: [Expectation]

    /// Makes a contract.
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

    /// Reads a contract.
    ///
    /// Throws `.decoding` for a file that cannot be read: with line and place, what is wrong, and what to do. A member
    /// that is not known, or is there twice, is an error: a typing mistake must not make a contract weaker.
    public init(contentsOf path: String) throws(NetError) {
        do { self = try ContractReader(file: path).contract() } catch { throw NetError(error) }
    }

    /// Writes the contract with sorted keys, whole or not at all.
    ///
    /// Throws `.decoding` where a file is there that cannot be read as a contract: it is left alone. Throws `.encoding`
    /// for a rule that exists only in code.
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
