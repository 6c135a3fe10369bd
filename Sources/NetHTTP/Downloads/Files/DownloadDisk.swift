internal import NetCore

/// The file system calls of downloads; each blocks. Tests replace it to simulate disks that lose bytes, and calls
/// that fail.
///
/// Names are single components, opened relative to the descriptor of a folder; links aren't followed.
package protocol DownloadDisk: Sendable {
    /// Identifies the current boot: bytes that were written but not flushed count only as long as it's the same.
    var bootID: String { get }

    /// Opens a folder by its path, following links; creates it and its parents if `isCreating` is true.
    func openFolder(path: String, isCreating: Bool) throws(DiskFailure) -> CInt
    /// Opens a folder in a folder. Creates it if it's missing and `mode` isn't nil; `isNew` is true if it was
    /// created.
    func openFolder(_ name: String, in folder: CInt, mode: UInt16?) throws(DiskFailure) -> (folder: CInt, isNew: Bool)
    /// Opens a file for reading and writing.
    func openFile(_ name: String, in folder: CInt, as opening: DiskOpening, mode: UInt16) throws(DiskFailure) -> CInt
    func close(_ descriptor: CInt)
    /// Writes some of the bytes and returns their number.
    func write(_ bytes: UnsafeRawBufferPointer, to file: CInt, at offset: Int64) throws(DiskFailure) -> Int
    /// Reads some bytes and returns their number, 0 at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, from file: CInt, at offset: Int64) throws(DiskFailure) -> Int
    func setLength(_ length: Int64, of file: CInt) throws(DiskFailure)
    /// Waits until the bytes and the length of a file have reached the disk.
    func flush(_ file: CInt) throws(DiskFailure)
    /// Waits until the names in a folder have reached the disk.
    func flushFolder(_ folder: CInt) throws(DiskFailure)
    func status(of file: CInt) throws(DiskFailure) -> DiskStatus
    /// Returns the status of the entry with this name, which may be a link; nil if there is none.
    func status(of name: String, in folder: CInt) throws(DiskFailure) -> DiskStatus?
    /// Moves a file. Unless `isReplacing` is true, throws `EEXIST` if the target exists, as a file, a link, or a
    /// folder.
    func move(
        _ name: String, in folder: CInt, to target: String, in targetFolder: CInt, isReplacing: Bool
    ) throws(DiskFailure)
    func remove(_ name: String, in folder: CInt) throws(DiskFailure)
    /// Locks a file until its descriptor is closed; returns false if another holder has the lock.
    func lock(_ file: CInt) throws(DiskFailure) -> Bool
    /// Returns the number of bytes that may still be written to the disk of a folder.
    func freeBytes(of folder: CInt) throws(DiskFailure) -> Int64
    /// Returns the size of the disk of a folder.
    func totalBytes(of folder: CInt) throws(DiskFailure) -> Int64
    /// Sets the time of the last change, in seconds since 1970.
    func setModified(_ seconds: Int64, of file: CInt) throws(DiskFailure)
    func names(in folder: CInt) throws(DiskFailure) -> [String]
}

/// The way to open a file.
package enum DiskOpening: Sendable {
    /// Throws `ENOENT` if the file doesn't exist.
    case existing
    /// Like ``existing``, for reading only.
    case reading
    /// Throws `EEXIST` if the file exists.
    case new
    case existingOrNew
}

/// A failed file call.
package struct DiskFailure: Error {
    /// The system's error number.
    package let number: CInt
    package init(_ number: CInt) { self.number = number }
}

/// The status of a file.
package struct DiskStatus: Sendable, Hashable, Codable {
    package var length: Int64
    /// False for a folder, a link or a device.
    package var isRegular: Bool
    /// The number of the file on its disk.
    package var number: UInt64
    /// The number of its names.
    package var links: Int
    /// The time of the last change of the bytes, in nanoseconds since 1970.
    package var modified: Int64
    /// The time of the last change of the bytes, the name, the owner or the permissions, in nanoseconds since 1970.
    package var changed: Int64

    package init(length: Int64, isRegular: Bool, number: UInt64, links: Int, modified: Int64, changed: Int64) {
        (self.length, self.isRegular, self.number) = (length, isRegular, number)
        (self.links, self.modified, self.changed) = (links, modified, changed)
    }
}
