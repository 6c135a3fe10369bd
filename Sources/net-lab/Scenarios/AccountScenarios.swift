#if Tools && Server
internal import Foundation
internal import NetCore

/// Scenarios for the document's other operations.
enum AccountScenarios {
    static let all = [
        Scenario("addReview", "A form that is typed.", expect: "5 stars: Salt & spray = 100%") { lab in
            let review = NewReview(stars: 5, text: "Salt & spray = 100%", recommend: true)
            let kept = try await lab.send(AddReviewRequest(bookID: Shelf.id(1), payload: review))
            return "\(kept.stars) stars: \(kept.text)"
        },
        Scenario("listReviews", "What was added is there.", expect: "1 review, recommended, 2026-01-01T00:00:00Z") {
            lab in
            let page = try await lab.send(ListReviewsRequest(bookID: Shelf.id(1)))
            let review = page.items.first
            return "\(page.items.count) review, \(review?.recommend == true ? "recommended" : "not recommended"), "
                + (review.map { RFC3339.format($0.writtenAt) } ?? "never")
        },
        Scenario("getStock", "A map with keys that the document cannot know.", expect: "24 books, 120 copies") { lab in
            let stock = try await lab.send(GetStockRequest())
            return "\(stock.count) books, \(stock.values.reduce(0, +)) copies"
        },
        Scenario("adjustStock", "A map is sent and returned.", expect: "5 + 7 - 2 = 10") { lab in
            _ = try await lab.send(AdjustStockRequest(payload: ["9780000000100": 7]))
            let stock = try await lab.send(AdjustStockRequest(payload: ["9780000000100": -2]))
            return "5 + 7 - 2 = \(stock["9780000000100"] ?? 0)"
        },
        Scenario("signIn", "A form with a password that needs escaping.", expect: "a token until 2026-01-01T01:00:00Z")
        { lab in
            let session = try await lab.send(SignInRequest(payload: SignIn(name: "ada", password: "anchor & rope")))
            return "a token until \(RFC3339.format(session.expiresAt))"
        },
        Scenario("getProfile", "Null and absent members.", expect: "Ada, no phone, likes sea-stories") { lab in
            let customer = try await lab.send(GetProfileRequest())
            return
                "\(customer.name), \(customer.phone ?? "no phone"), likes \(customer.favouriteGenre?.rawValue ?? "nothing")"
        },
        Scenario("updatePreferences", "JSON of any form is returned as it was sent.", expect: "the same 3 settings") {
            lab in
            let settings = Preferences(
                newsletter: false,
                additionalProperties: ["theme": ["dark": true, "size": 11.5], "shelf": ["a", nil, 3]])
            let kept = try await lab.send(UpdatePreferencesRequest(payload: settings))
            return "\(kept == settings ? "the same" : "other") \(kept.additionalProperties.count + 1) settings"
        },
    ]
}
#endif
