internal import NetCore

/// The file calls of downloads; each blocks. The seam for disks that lose bytes, and for calls that fail.
///
/// Names are single components, opened relative to the descriptor of a folder; links aren't followed.
package protocol DownloadDisk: Sendable {
    /// Identifies the time since the machine started: what was written but not flushed counts only while it's the same.
    var bootID: String { get }

    /// Opens a folder by its path, links followed; makes it with those above it if `isCreating`.
    func openFolder(path: String, isCreating: Bool) throws(DiskFailure) -> CInt
    /// Opens a folder in a folder. Makes it if it's missing and `mode` isn't nil; `isNew` says whether it did.
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
    /// Returns the status of what has the name, which may be a link; nil if nothing has it.
    func status(of name: String, in folder: CInt) throws(DiskFailure) -> DiskStatus?
    /// Moves a file. Unless it may replace another one, throws `EEXIST` if there is one, a link, or a folder.
    func move(
        _ name: String, in folder: CInt, to target: String, in targetFolder: CInt, isReplacing: Bool
    ) throws(DiskFailure)
    func remove(_ name: String, in folder: CInt) throws(DiskFailure)
    /// Takes the lock of a file until its descriptor is closed; returns false if somebody else has it.
    func lock(_ file: CInt) throws(DiskFailure) -> Bool
    /// Returns the bytes that may still be written to the disk of a folder.
    func freeBytes(of folder: CInt) throws(DiskFailure) -> Int64
    /// Sets the time of the last change, in seconds since 1970.
    func setModified(_ seconds: Int64, of file: CInt) throws(DiskFailure)
    func names(in folder: CInt) throws(DiskFailure) -> [String]
}

/// How a file is opened.
package enum DiskOpening: Sendable {
    /// Throws `ENOENT` if it's missing.
    case existing
    /// Throws `EEXIST` if there is one.
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
package struct DiskStatus: Sendable, Hashable {
    package var length: Int64
    /// False for a folder, a link or a device.
    package var isRegular: Bool
    /// The number of the file on its disk.
    package var number: UInt64
    /// The number of its names.
    package var links: Int
    /// The time of the last change, in seconds since 1970.
    package var modified: Int64

    package init(length: Int64, isRegular: Bool, number: UInt64, links: Int, modified: Int64) {
        (self.length, self.isRegular, self.number) = (length, isRegular, number)
        (self.links, self.modified) = (links, modified)
    }
}
