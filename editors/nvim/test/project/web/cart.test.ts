import { describe, expect, it } from "vitest";
import { total } from "./cart";

describe("total", () => {
  it("adds prices", () => {
    expect(total([100, 250])).toBe(350);
  });

  it("is zero for an empty cart", () => {
    expect(total([])).toBe(0);
  });
});
