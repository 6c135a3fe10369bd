#if Tools && Server
internal import ArgumentParser

/// The kind of peer that scenarios run against.
enum LabMode: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// A server on loopback, over libcurl.
    case live
    /// The same stubs in memory: no socket, and no wait in real time for what a test clock can make pass.
    case mock
}
#endif
