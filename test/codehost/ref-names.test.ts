import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isRefName, isSha } from '../../src/codehost/ref-names.ts'

test.each([
  ['main', true],
  ['feature/a', true],
  ['quo"ted', true],
  ["it's", true],
  ['$(reboot);`reboot`|&<>!%#', true],
  ['größe/日本', true],
  ['-x', true],
  ['a@b', true],
  ['a.b', true],
  ['', false],
  ['@', false],
  ['a b', false],
  ['a\nb', false],
  ['a\u007Fb', false],
  ['a~1', false],
  ['a^', false],
  ['a:b', false],
  ['a?', false],
  ['a*', false],
  ['a[b', false],
  ['a\\b', false],
  ['a..b', false],
  ['a@{1}', false],
  ['/a', false],
  ['a/', false],
  ['a//b', false],
  ['.a', false],
  ['a/.b', false],
  ['a.', false],
  ['a.lock', false],
  ['a.lock/b', false],
] as const)('our check of %j as a ref name agrees with git', (name, fine) => {
  expect(isRefName(name)).toBe(fine)
  expect(gitTakes(`refs/heads/${name}`)).toBe(fine || name === '@')
})

function gitTakes(ref: string): boolean {
  try {
    execFileSync('git', ['check-ref-format', ref])
    return true
  } catch {
    return false
  }
}

test.each([
  ['a'.repeat(40), true],
  ['0123456789abcdef'.repeat(4), true],
  ['a'.repeat(39), false],
  ['A'.repeat(40), false],
  [`${'a'.repeat(40)}\n`, false],
  ['', false],
] as const)('whether %j is an object id: %j', (text, is) => {
  expect(isSha(text)).toBe(is)
})
