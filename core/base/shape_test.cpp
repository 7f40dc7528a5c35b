#include "base/shape.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/check.h"

namespace perflab {

TEST(Shape, CountsElementsOfScalarsEmptyAndOddShapes) {
  EXPECT_EQ(Shape{}.elements(), 1);
  EXPECT_EQ((Shape{0}).elements(), 0);
  EXPECT_EQ((Shape{127, 129}).elements(), 127 * 129);
  EXPECT_EQ((Shape{2, 3, 5, 7}).elements(), 210);
}

TEST(Shape, NegativeAxesCountFromTheBack) {
  const Shape shape{2, 3, 5};
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[-1], 5);
  EXPECT_THROW(shape[3], Error);
  EXPECT_THROW(shape[-4], Error);
}

TEST(Shape, RefusesFiveDimensionsNegativeOnesAndOverflow) {
  EXPECT_THROW((Shape{1, 1, 1, 1, 1}), Error);
  EXPECT_THROW((Shape{2, -1}), Error);
  EXPECT_THROW((Shape{std::numeric_limits<std::int64_t>::max(), 2}), Error);
}

TEST(Shape, PrintsAndCompares) {
  EXPECT_EQ(fmt::format("{}", Shape{2, 3}), "[2,3]");
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{2, 3, 1}));
}

TEST(Shape, WithChangesOneDimensionAndRefusesAnotherAxis) {
  EXPECT_EQ(Shape({2, 3}).with(0, 7), Shape({7, 3}));
  EXPECT_EQ(Shape({2, 3}).with(-1, 0), Shape({2, 0}));
  EXPECT_THROW(Shape({2, 3}).with(2, 1), Error);
  EXPECT_THROW(Shape({2, 3}).with(0, -1), Error);
}

TEST(Shape, LosesItsLastDimensionAndGetsANewOne) {
  EXPECT_EQ(Shape({2, 3, 5, 7}).without_last(), Shape({2, 3, 5}));
  EXPECT_EQ(Shape({4}).without_last(), Shape());
  EXPECT_THROW(Shape().without_last(), Error);
  EXPECT_EQ(Shape().appended(4), Shape({4}));
  EXPECT_EQ(Shape({2, 3}).appended(0), Shape({2, 3, 0}));
  EXPECT_THROW(Shape({1, 1, 1, 1}).appended(1), Error);
  EXPECT_THROW(Shape({2}).appended(-1), Error);
  EXPECT_THROW(Shape({2}).appended(std::numeric_limits<std::int64_t>::max()), Error);
}

}  // namespace perflab
