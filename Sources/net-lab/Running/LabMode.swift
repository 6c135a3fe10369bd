#if Tools && Server
internal import ArgumentParser

/// The kind of peer that scenarios run against.
enum LabMode: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// A server on loopback, over libcurl.
    case live
    /// The server's stubs in memory: without sockets, and with a test clock for work that waits for time to pass.
    case mock
}
#endif
