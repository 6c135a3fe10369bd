internal import NetCore

extension SocketFailure {
    /// Returns the code and the details as one object, for wires that have a place for data but none for a textual
    /// code: `{"code":"full","details":{"seats":4}}`.
    func codedData(by name: String) throws(NetError) -> String {
        var text = "{"
        text.appendMember("code", code)
        if let details {
            text.appendName("details")
            text += try details.json(by: name)
        }
        return text + "}"
    }

    /// Reads such an object. nil for data of another form.
    init?(coded data: JSONSlice?, message: String) {
        guard let members = try? data?.members(), let code = data?["code"]?.string,
            members.allSatisfy({ $0.name == "code" || $0.name == "details" })
        else { return nil }
        self.init(code, message, details: data?["details"]?.payload)
    }
}
