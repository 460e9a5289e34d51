import { expect, test } from 'vitest'
import {
  isNoSha,
  nameOfFolder,
  noSha,
  numberOfPullRef,
  readSlug,
} from '../../../src/codehost/local/names.ts'

test.each([40, 64])('the missing object has an id of %i zeros', (length) => {
  expect(noSha('a'.repeat(length))).toBe('0'.repeat(length))
  expect(isNoSha('0'.repeat(length))).toBe(true)
  expect(isNoSha('a'.repeat(length))).toBe(false)
})

test.each([
  ['refs/pull/7/head', 7],
  ['refs/pull/7/merge', undefined],
  ['refs/heads/refs/pull/7/head', undefined],
] as const)('the pull request number of %s is %s', (ref, number) => {
  expect(numberOfPullRef(ref)).toBe(number)
})

test.each([
  ['hello', { owner: 'local', name: 'hello' }],
  ['octavia/hello.rb', { owner: 'octavia', name: 'hello.rb' }],
  ['Local/Hello', { owner: 'local', name: 'Hello' }],
] as const)('%s is the repository %j', (text, slug) => {
  expect(readSlug(text, 'local')).toEqual(slug)
})

test.each(['', '/', 'a/', '/a', 'a/b/c', 'a/..', '.', 'a b', 'a_b/c', '-a/b', 'a/b c', 'a/"'])(
  '%j cannot be a repository name',
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
] as const)('the folder %j results in the name %j', (folder, name) => {
  expect(nameOfFolder(folder)).toBe(name)
})
