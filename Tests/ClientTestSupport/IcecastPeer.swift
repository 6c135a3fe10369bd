#if os(Linux)
import Foundation
import TestSupport

/// An icecast on loopback, whose sources need a password.
struct IcecastPeer: Sendable {
    static let program = SystemProgram("icecast2")

    let port: Int
    private let process: ChildProcess

    init() throws {
        port = try Listener.freePort()
        let folder = ScratchFolder.file("icecast-\(port)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o777)
        let password = "geheim"
        let settings = try ScratchFolder.write(
            """
            <icecast>
            <limits><clients>10</clients><sources>2</sources></limits>
            <authentication>
            <source-password>\(password)</source-password><relay-password>\(password)</relay-password>
            <admin-user>admin</admin-user><admin-password>\(password)</admin-password>
            </authentication>
            <hostname>localhost</hostname>
            <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
            <paths>
            <basedir>\(folder)</basedir><logdir>\(folder)</logdir>
            <webroot>\(folder)</webroot><adminroot>\(folder)</adminroot>
            </paths>
            <logging><accesslog>access</accesslog><errorlog>error</errorlog></logging>
            <security><changeowner><user>nobody</user><group>nogroup</group></changeowner></security>
            </icecast>

            """, to: "icecast-\(port).xml")
        process = try ChildProcess.daemon(Self.program.path ?? "icecast2", ["-c", settings])
        try ChildProcess.wait(forPorts: [port], of: "icecast2")
    }
}
#endif
