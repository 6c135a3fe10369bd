/// The properties that show that a file has changed: its size, its modification time, and its inode number.
///
/// A replaced file has another inode number, even if its size and time are the same.
package struct FileVersion: Sendable, Hashable, Codable {
    /// The size in bytes.
    package let length: Int64
    /// The time of the last change, in nanoseconds since 1970.
    package let modified: Int64
    /// The inode.
    package let number: UInt64

    package init(length: Int64, modified: Int64, number: UInt64) {
        self.length = length
        self.modified = modified
        self.number = number
    }
}
