import { expect, test } from 'vitest'
import { classesOf, drawnStyle } from '../../src/terminal/drawn-style.ts'
import { plainStyle, restyle } from '../../src/terminal/text-style.ts'

test.each([
  ['', ''],
  ['31;1', 'ink-1 bold'],
  ['41;37', 'on on-1 ink-7'],
  ['1;2;3;4;9', 'bold dim italic underline strike'],
  ['7', 'on on-text ink-ground'],
  ['7;32;41', 'on on-2 ink-1'],
])('%j has the classes %j', (parameters, classes) => {
  expect(classesOf(drawnStyle(restyle(plainStyle, parameters)))).toBe(classes)
})
