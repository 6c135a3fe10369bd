package import HTTPTypes

/// The way in which a request was sent that isn't covered by the identity of its call: its response may belong to
/// another user.
package struct IdentityDifference: Sendable, Hashable, CustomStringConvertible {
    /// A name without a value, such as `X-User`.
    package let description: String

    /// A header that identifies a user, by its name only.
    package static func header(_ name: HTTPField.Name) -> IdentityDifference {
        IdentityDifference(description: name.rawName)
    }

    /// Another URL than the one that the response would be stored for.
    package static let url = IdentityDifference(description: "URL")

    /// The credential of another login.
    package static let login = IdentityDifference(description: "login")
}
