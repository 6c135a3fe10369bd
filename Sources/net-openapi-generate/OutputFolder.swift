import NetOpenAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder for generated files.
struct OutputFolder {
    let path: String

    func path(of name: String) -> String {
        path.hasSuffix("/") ? path + name : path + "/" + name
    }

    /// Returns the names of files that are missing or different, and of files that are no longer generated.
    ///
    /// - Throws: An error if an existing file can't be read.
    func differences(from files: [GeneratedFile]) throws(Diagnostic) -> [String] {
        var names: [String] = []
        for file in files where try !isCurrent(file) { names.append(file.name) }
        return names + staleNames(besides: files)
    }

    /// Writes the files that differ. It first writes all of them under temporary names and then renames them, so that a
    /// failure leaves the existing files unchanged.
    ///
    /// Removes files of an earlier run that are no longer generated.
    ///
    /// - Returns: The number of written files.
    /// - Throws: An error that names the file or folder that couldn't be written; no new files remain.
    func write(_ files: [GeneratedFile]) throws(Diagnostic) -> Int {
        let created = try createFolder()
        var pending: [(temporary: String, final: String)] = []
        do throws(Diagnostic) {
            for file in files where try !isCurrent(file) {
                let temporary = path(of: ".\(file.name).\(ProcessInfo.processInfo.processIdentifier).tmp")
                pending.append((temporary, path(of: file.name)))
                try write(file, to: temporary)
            }
            for (temporary, final) in pending { try rename(temporary, to: final) }
            for name in staleNames(besides: files) { try remove(name) }
        } catch {
            for (temporary, _) in pending { try? FileManager.default.removeItem(atPath: temporary) }
            if let created { try? FileManager.default.removeItem(atPath: created) }
            throw error
        }
        return pending.count
    }

    /// Writes one text to a path.
    static func write(_ text: String, to path: String) throws(Diagnostic) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            throw Diagnostic(.error, "'\(path)' cannot be written")
        }
    }

    private func isCurrent(_ file: GeneratedFile) throws(Diagnostic) -> Bool {
        let path = path(of: file.name)
        guard FileManager.default.fileExists(atPath: path) else { return false }
        do {
            return try Data(contentsOf: URL(filePath: path)) == Data(file.contents.utf8)
        } catch {
            throw failure("'\(path)' cannot be read, so it can't be compared", error)
        }
    }

    /// Creates the folder and its parents.
    ///
    /// - Returns: The topmost folder that was created; nil if all existed.
    private func createFolder() throws(Diagnostic) -> String? {
        var isFolder = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder else {
                throw Diagnostic(.error, "'\(path)' is a file; --output names a folder")
            }
            return nil
        }
        var topmost = URL(filePath: path).standardizedFileURL
        while topmost.pathComponents.count > 1 {
            let parent = topmost.deletingLastPathComponent()
            if FileManager.default.fileExists(atPath: parent.path) { break }
            topmost = parent
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw failure("the folder '\(path)' cannot be created", error)
        }
        return topmost.path
    }

    private func write(_ file: GeneratedFile, to path: String) throws(Diagnostic) {
        do {
            try Data(file.contents.utf8).write(to: URL(filePath: path))
        } catch {
            throw failure("'\(self.path(of: file.name))' cannot be written", error)
        }
    }

    private func remove(_ name: String) throws(Diagnostic) {
        do {
            try FileManager.default.removeItem(atPath: path(of: name))
        } catch {
            throw failure("'\(path(of: name))' is no longer generated and cannot be removed", error)
        }
    }

    private func rename(_ temporary: String, to final: String) throws(Diagnostic) {
        var isFolder = false
        if FileManager.default.fileExists(atPath: final, isDirectory: &isFolder), isFolder {
            throw Diagnostic(.error, "'\(final)' is a folder; a generated file needs that name, move it away")
        }
        guard FileRenaming.rename(temporary, to: final) else {
            throw Diagnostic(.error, "'\(final)' cannot be replaced: \(FileRenaming.lastProblem)")
        }
    }

    private func failure(_ sentence: String, _ error: any Error) -> Diagnostic {
        let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code
        return Diagnostic(.error, "\(sentence): \(code.map(FileRenaming.words(for:)) ?? "\(error)")")
    }
}
