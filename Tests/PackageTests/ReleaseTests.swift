import Foundation
import Testing

/// `scripts/release`, and the rules that guard a release, in a clone of this repository.
@Suite(.serialized) struct ReleaseTests {
    /// Clones the last commit and runs the body there; prints that it's skipped outside a repository.
    private func inClone(_ body: (URL) async throws -> Void) async throws {
        guard try await run("git", ["rev-parse", "--git-dir"]).status == 0 else {
            return print("skipped: releases, this folder isn't a repository")
        }
        try await withTemporaryFolder { folder in
            let clone = folder.appendingPathComponent("clone")
            try #require(try await run("git", ["clone", "-q", PackageFolder.root.path, clone.path]).status == 0)
            for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.com")] {
                _ = try await run("git", ["config", name, value], in: clone)
            }
            try await body(clone)
        }
    }

    private func replace(_ text: String, with other: String, in file: URL) throws {
        let contents = try String(contentsOf: file, encoding: .utf8)
        try #require(contents.contains(text))
        let changed = contents.replacing(text, with: other, maxReplacements: 1)
        try changed.write(to: file, atomically: true, encoding: .utf8)
    }

    @Test func aReleaseDatesTheChangelogAndTags() async throws {
        try await inClone { clone in
            _ = try await run("git", ["tag", "v7.0.0"], in: clone)
            let early = try await run("scripts/release", ["6.9.9"], in: clone)
            #expect(early.status == 1)
            #expect(early.output.contains("isn't after 7.0.0"))
            let pins = #"{"pins": [], "version": 3}"#
            try pins.write(to: clone.appendingPathComponent("Package.resolved"), atomically: true, encoding: .utf8)
            let made = try await run("scripts/release", ["7.1.0"], in: clone)
            #expect(made.status == 0, "\(made.output)")
            let changes = try String(contentsOf: clone.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
            #expect(changes.contains("## [Unreleased]\n\n## [7.1.0] - 20"))
            let usage = clone.appendingPathComponent("Sources/net-openapi-generate/Usage.swift")
            #expect(try String(contentsOf: usage, encoding: .utf8).contains("version = \"7.1.0\""))
            #expect(try await run("git", ["describe", "--exact-match"], in: clone).output == "v7.1.0\n")
            let again = try await run("scripts/release", ["7.2.0"], in: clone)
            #expect(again.status == 1)
            #expect(again.output.contains("nothing under [Unreleased]"))
        }
    }

    @Test func anAPIThatIsLostHasToBeInTheChangelog() async throws {
        try await inClone { clone in
            _ = try await run("git", ["tag", "v0.0.1"], in: clone)
            #expect(try await run("scripts/check", ["breaks"], in: clone).status == 0)
            try replace(
                "public struct APIChange", with: "struct APIChange",
                in: clone.appending(path: "docs/api/NetOpenAPI.api"))
            let lost = try await run("scripts/check", ["breaks"], in: clone)
            #expect(lost.status == 1)
            #expect(lost.output.contains("- public struct APIChange"))
            try replace("### Added", with: "### Breaking\n\n### Added", in: clone.appending(path: "CHANGELOG.md"))
            #expect(try await run("scripts/check", ["breaks"], in: clone).status == 0)
        }
    }

    @Test func aSecretIsFound() async throws {
        try await inClone { clone in
            #expect(try await run("scripts/check", ["secrets"], in: clone).status == 0)
            let key = "AK" + "IA" + String(repeating: "Z", count: 16)
            try replace("# Changelog", with: "# Changelog \(key)", in: clone.appending(path: "CHANGELOG.md"))
            let found = try await run("scripts/check", ["secrets"], in: clone)
            #expect(found.status == 1)
            #expect(found.output.contains("CHANGELOG.md:1: an AWS access key"))
        }
    }
}
