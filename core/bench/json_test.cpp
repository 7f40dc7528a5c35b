#include "bench/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/check.h"

namespace perflab {

TEST(Json, RoundTripsAndKeepsTheOrderOfMembers) {
  Json json;
  json.set("zeta", 1);
  json.set("alpha", Json::Array{true, nullptr == nullptr, "x \"quoted\" ü", 0.1, Json()});
  json.set("zeta", 9007199254740992.0);
  const Json again = Json::parse(json.dump(), "t");
  EXPECT_EQ(again.dump(), json.dump());
  EXPECT_EQ(again.object().front().first, "zeta");
  EXPECT_NE(json.dump().find("9007199254740992"), std::string::npos);
  EXPECT_EQ(again.at("alpha").array()[3].number(), 0.1);
  EXPECT_TRUE(again.at("alpha").array()[4].is_null());
}

TEST(Json, ASurpriseIsADataErrorThatNamesTheSource) {
  for (const char* text : {"", "{", "{\"a\": nan}", "[1,]", "{\"a\":1} x"}) {
    try {
      Json::parse(text, "m.json");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_EQ(std::string(error.what()).rfind("m.json", 0), 0u);
    }
  }
  const Json number(1.5);
  EXPECT_THROW(number.text(), Error);
  EXPECT_THROW(number.at("a"), Error);
  EXPECT_EQ(number.text_or("a", "none"), "none");
}

TEST(Json, WhatLiesTooDeepIsADataErrorAndNoEndOfTheStack) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_NO_THROW(Json::parse(nested(200), "m.json"));
  for (const std::size_t depth : {std::size_t(300), std::size_t(1'000'000)}) try {
      Json::parse(nested(depth), "m.json");
      FAIL() << depth;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
    }
}

TEST(Json, NeverPrintsANumberThatIsNotFinite) {
  EXPECT_THROW(Json(std::numeric_limits<double>::infinity()).dump(), Error);
}

}  // namespace perflab
