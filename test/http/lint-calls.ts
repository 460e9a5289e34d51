import { expect } from 'vitest'
import { mostBytes } from '../../src/lint/limits.ts'

export const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

export const file = 'language: ruby\ngit:\n  depht: 3\nscript: make\n'
/** What is said of that file. */
export const misspelt = {
  key: ['git', 'depht'],
  message: 'unknown key "depht", read as "depth": correct the spelling',
  level: 'warn',
  code: 'find_key',
  line: 3,
  column: 3,
}

/** A file field, as a browser or `curl -F content=@file` sends it. */
export function multipart(fields: Record<string, string>, filename = '') {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--b--\r\n`
}
const multipartType = { 'content-type': 'multipart/form-data; boundary=b' }

/** Every way in which a build file may come. */
export const ways: [string, string, Record<string, string>, string | undefined][] = [
  ['in JSON', '/lint', json, JSON.stringify({ content: file })],
  [
    'in JSON that names its charset',
    '/lint',
    { 'content-type': 'application/json; charset=utf-8' },
    JSON.stringify({ content: file }),
  ],
  ['in a form', '/lint', form, new URLSearchParams({ content: file }).toString()],
  ['in a form of parts', '/lint', multipartType, multipart({ content: file })],
  [
    'as a file in a form of parts',
    '/lint',
    multipartType,
    multipart({ content: file }, '; filename=".service.yml"'),
  ],
  ['in the query', `/lint?content=${encodeURIComponent(file)}`, {}, undefined],
  ['in the query, with an empty body', `/lint?content=${encodeURIComponent(file)}`, json, ''],
  ['as the body', '/lint', { 'content-type': 'text/yaml' }, file],
  ['as the body without a label', '/lint', {}, file],
  ['as the body labelled as bytes', '/lint', { 'content-type': 'application/octet-stream' }, file],
  ['as the body labelled as nothing known', '/lint', { 'content-type': 'weird' }, file],
  ['as the body labelled as a form', '/lint', form, file],
]

export const about = (content: string) => JSON.stringify({ content })

/** What of a build file is warned of, and the keys that the warnings are about. */
export const keysOf: [what: string, content: string, keys: string[][]][] = [
  ['nothing to say', 'language: ruby\nscript: make\n', []],
  ['the root', '- script\n', [[]]],
  ['a key of the root', 'foo: bar\nscript: make\n', [['foo']]],
  ['a key that lacks', 'deploy: {bucket: x}\nscript: make\n', [['deploy', 'provider']]],
  ['several, the worst first', 'foo: 1\nos: linux\nscript: make\nos: osx\n', [['os'], ['foo']]],
]

/** What is no YAML, and where that shows. */
export const noYaml: [content: string, line: number, column: number][] = [
  ['language: ruby\nscript: [make\n', 2, 9],
  ['a: b: c\n', 1, 5],
  ['script: "make\n', 1, 9],
]

export const syntaxError = (line: number, column: number) => ({
  key: [],
  level: 'error',
  code: 'parse_error',
  line,
  column,
  message: expect.stringMatching(/^syntax error: ./) as unknown,
})

/** What is no object of JSON. */
export const noObjects = ['{', '{"content": ', 'script: make', '[]', '"text"', '3', 'null']

/** A body that is too large, and what is said of it. */
export const tooLarge = `script: ${'x'.repeat(mostBytes)}`
export const tooLargeMessage = 'the body is too large: at most 256 KiB are accepted'

/** A file that a rule has advice on, and that. */
export const advisable = 'branches:\n  only:\n    - release/*\nlanguage: ruby\nscript: make\n'
export const advice = {
  key: ['branches', 'only'],
  level: 'warn',
  code: 'pattern_without_slashes',
  line: 3,
  column: 7,
}

/** Every way in which advice is asked for. */
export const advised: [path: string, headers: Record<string, string>, body: string][] = [
  ['/lint', json, JSON.stringify({ content: advisable, advice: true })],
  ['/lint', json, JSON.stringify({ content: advisable, advice: 'true' })],
  ['/lint?advice=true', json, about(advisable)],
  ['/lint?advice=true', {}, advisable],
  ['/lint', form, new URLSearchParams({ content: advisable, advice: 'true' }).toString()],
  ['/lint', multipartType, multipart({ content: advisable, advice: '1' })],
]
