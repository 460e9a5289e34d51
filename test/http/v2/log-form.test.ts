import { describe, expect, test } from 'vitest'
import { parseAccept } from '../../../src/http/v2/accept.ts'
import { jobLogForm, logForm } from '../../../src/http/v2/endpoints/log.ts'

const client = 'application/json; chunked=true; version=2, application/json; version=2'

describe('the form of a job’s log', () => {
  test.each([
    // Accept, while it grows, when it is one whole
    [undefined, 'text', 'text'],
    ['*/*', 'text', 'text'],
    ['text/plain', 'text', 'text'],
    ['text/*', 'text', 'text'],
    ['text/vnd.service.2+plain', 'text', 'text'],
    ['application/json, text/plain', 'text', 'text'],
    ['application/json, */*', 'text', 'text'],
    ['application/json', 'json', 'json'],
    ['application/*', 'json', 'json'],
    ['application/vnd.service.2.1+json', 'json', 'json'],
    ['application/json; chunked=true', 'parts', 'parts'],
    ['application/json; chunked', 'parts', 'parts'],
    ['application/json; chunked=1', 'parts', 'parts'],
    ['application/json; chunked=false', 'json', 'json'],
    ['application/vnd.service.2+json; chunked=true', 'parts', 'parts'],
    ['text/plain; chunked=true', 'parts', 'parts'],
    ['text/plain; chunked=false', 'text', 'text'],
    ['*/*; chunked=true', 'parts', 'parts'],
    ['image/png; chunked=true', 'parts', 'parts'],
    ['application/json; chunked=true, application/json', 'parts', 'json'],
    ['application/json; chunked=true, text/plain', 'parts', 'text'],
    [client, 'parts', 'json'],
    ['text/plain, application/json; chunked=true; q=0.5', 'text', 'text'],
    ['application/json; chunked=true, image/png', 'parts', 'parts'],
    ['image/png, application/json; chunked=true; q=0.5', 'parts', 'parts'],
    ['image/png', undefined, undefined],
    ['text/html', undefined, undefined],
  ])(
    'accepted as %j is %s while the log grows, and %s once it is whole',
    (accept, growing, whole) => {
      expect(jobLogForm(parseAccept(accept), false)).toBe(growing)
      expect(jobLogForm(parseAccept(accept), true)).toBe(whole)
    },
  )
})

describe('the form of a log requested by its own id', () => {
  test.each([
    [undefined, 'json', 'json'],
    ['text/plain', 'text', 'text'],
    ['text/plain;q=0.5, application/json', 'json', 'json'],
    ['application/json; chunked=true', 'parts', 'parts'],
    ['application/json; chunked=true, image/png', 'parts', 'parts'],
    ['application/json; chunked=true, text/plain', 'parts', 'text'],
    [client, 'parts', 'json'],
    ['image/png', undefined, undefined],
  ])(
    'accepted as %j is %s while the log grows, and %s once it is whole',
    (accept, growing, whole) => {
      expect(logForm(parseAccept(accept), false)).toBe(growing)
      expect(logForm(parseAccept(accept), true)).toBe(whole)
    },
  )
})
