import { expect, test } from 'vitest'
import { colourOf256, colourOfRgb } from '../../src/terminal/colour.ts'

test.each([
  [0, 0],
  [9, 9],
  [15, 15],
  [16, 0],
  [21, 4],
  [46, 10],
  [196, 9],
  [226, 11],
  [231, 15],
  [232, 0],
  [244, 8],
  [255, 7],
  [256, null],
  [-1, null],
  [1.5, null],
  [Number.NaN, null],
])('colour %d of 256 is nearest to %s of sixteen', (number, colour) => {
  expect(colourOf256(number)).toBe(colour)
})

test.each([
  [[255, 0, 0], 9],
  [[210, 10, 5], 1],
  [[0, 0, 0], 0],
  [[250, 250, 250], 15],
  [[256, 0, 0], null],
  [[0, -1, 0], null],
  [[0, 0, Number.NaN], null],
] as const)('red, green and blue %j are nearest to %s', ([red, green, blue], colour) => {
  expect(colourOfRgb(red, green, blue)).toBe(colour)
})
