import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  isNoSha,
  isRefName,
  isSha,
  nameOfFolder,
  noSha,
  numberOfPullRef,
  readSlug,
} from '../../../src/codehost/local/names.ts'

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
] as const)('of %j as the name of a ref we think what git thinks', (name, fine) => {
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

test.each([40, 64])('no object has an id of %i zeros', (length) => {
  expect(noSha('a'.repeat(length))).toBe('0'.repeat(length))
  expect(isNoSha('0'.repeat(length))).toBe(true)
  expect(isNoSha('a'.repeat(length))).toBe(false)
})

test.each([
  ['refs/pull/7/head', 7],
  ['refs/pull/7/merge', undefined],
  ['refs/heads/refs/pull/7/head', undefined],
] as const)('the pull request of %s is %s', (ref, number) => {
  expect(numberOfPullRef(ref)).toBe(number)
})

test.each([
  ['hello', { owner: 'local', name: 'hello' }],
  ['octavia/hello.rb', { owner: 'octavia', name: 'hello.rb' }],
  ['Local/Hello', { owner: 'local', name: 'Hello' }],
] as const)('%s names the repository %j', (text, slug) => {
  expect(readSlug(text, 'local')).toEqual(slug)
})

test.each(['', '/', 'a/', '/a', 'a/b/c', 'a/..', '.', 'a b', 'a_b/c', '-a/b', 'a/b c', 'a/"'])(
  '%j cannot be the name of a repository',
  (text) => {
    expect(() => readSlug(text, 'local')).toThrow('cannot be the name of a repository')
  },
)

test.each([
  ['hello', 'hello'],
  ['hello.git', 'hello'],
  ['my project (old)', 'my-project-old'],
  ['größe', 'gr-e'],
  ['日本', 'repository'],
  ['...', 'repository'],
] as const)('the folder %j makes the name %j', (folder, name) => {
  expect(nameOfFolder(folder)).toBe(name)
})
