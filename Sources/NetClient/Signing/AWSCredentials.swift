/// An access key of AWS, or of a service that accepts the same signatures. Its description shows only the key's ID.
///
///     let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret")
///     print(keys)  // AWS key AKIDEXAMPLE
public struct AWSCredentials: Sendable, Hashable {
    /// The ID of the access key.
    public var accessKeyID: String
    /// The secret of the access key.
    public var secretAccessKey: String
    /// The token of temporary credentials, also a secret; nil for a permanent key.
    public var sessionToken: String?

    /// Creates credentials.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomReflectable {
    /// The key's ID.
    public var description: String { "AWS key \(accessKeyID)" }
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID], displayStyle: .struct) }
}
