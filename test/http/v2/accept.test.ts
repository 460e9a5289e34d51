import { describe, expect, test } from 'vitest'
import { accepts, acceptsJson, parseAccept, versionOf } from '../../../src/http/v2/accept.ts'

const namesOf = (header: string | undefined) =>
  parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`)

describe('the entries of an Accept header come', () => {
  test.each([
    ['as written', 'text/plain, application/json', ['text/plain', 'application/json']],
    ['by quality', 'a/a;q=0.2, b/b;q=0.9, c/c', ['c/c', 'b/b', 'a/a']],
    ['with fewer stars first', '*/*, text/*, text/plain', ['text/plain', 'text/*', '*/*']],
    ['with more parameters first', 'a/a, b/b;x=1, c/c;x=1;y=2', ['c/c', 'b/b', 'a/a']],
    ['by quality before anything else', '*/*;q=1, text/plain;q=0.5', ['*/*', 'text/plain']],
    ['with quality 0 last, but not left out', 'a/a;q=0, b/b;q=0.1', ['b/b', 'a/a']],
    ['without spaces', ' text / plain ; q = 0.5 , b/b', ['b/b', 'text/plain']],
    ['in lower case', 'Text/HTML', ['text/html']],
    ['as any type, if there is no header', undefined, ['*/*']],
    ['as any type, if the header is empty', '', ['*/*']],
    ['as any type, if the header has only commas', ',,', ['*/*']],
    [
      'as in the specification',
      'text/html;q=0.2, application/vnd.service.2+json, text/*',
      ['application/json', 'text/*', 'text/html'],
    ],
  ])('%s', (_how, header, names) => {
    expect(namesOf(header)).toEqual(names)
  })
})

test('an entry has the version of its vendor type, or of its parameter', () => {
  const header = 'application/vnd.service.2.1+json;version=3;chunked=true'
  expect(parseAccept(header)).toMatchObject([
    { type: 'application', subtype: 'json', version: '2.1' },
  ])
  expect(parseAccept('application/json; version=2')).toMatchObject([{ version: '2' }])
})

describe('the requested version', () => {
  test.each([
    [{}, '2.1'],
    [{ accept: '*/*' }, '2.1'],
    [{ accept: 'application/json' }, '2.1'],
    [{ accept: 'application/vnd.service.2+json' }, '2'],
    [{ accept: 'application/vnd.service.2.1+json' }, '2.1'],
    [{ accept: 'application/vnd.service.9+json' }, '2.1'],
    [{ accept: 'application/json; version=2' }, '2'],
    [{ accept: 'text/plain, application/vnd.service.2+json' }, '2'],
    [{ accept: 'application/json;version=2.1;q=0.1, application/vnd.service.2+json' }, '2'],
    [{ 'service-api-version': '2' }, '2'],
    [{ 'service-api-version': '2.1', accept: 'application/vnd.service.2+json' }, '2.1'],
    [{ 'service-api-version': 'x', accept: 'application/vnd.service.2+json' }, '2.1'],
  ])('with %j is %s', (headers, version) => {
    expect(versionOf(headers)).toBe(version)
  })
})

test.each([
  ['application/json', 'application/json', true],
  ['application/*', 'application/json', true],
  ['*/*', 'application/json', true],
  ['text/*', 'application/json', false],
  ['*/xml', 'application/json', false],
  ['*/json', 'application/json', false],
  ['text/json', 'application/json', false],
  ['image/png', 'text/plain', false],
])('%s accepts %s: %j', (entry, type, isAccepted) => {
  expect(parseAccept(entry).map((each) => accepts(each, type))).toEqual([isAccepted])
})

test.each([
  [undefined, true],
  ['text/html, */*;q=0.1', true],
  ['application/vnd.service.2.1+json', true],
  ['text/html', false],
  ['image/png, text/plain', false],
])('a JSON resource is acceptable for %j: %j', (header, isAccepted) => {
  expect(acceptsJson(header)).toBe(isAccepted)
})
