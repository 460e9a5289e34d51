import { describe, expect, test } from 'vitest'
import { get, post } from '../../../src/http/core/endpoint.ts'
import { pageRouter } from '../../../src/http/pages/page-router.ts'

const answer = async () => null
const { hasPage } = pageRouter([
  get('/', { answer }),
  get('/:owner/:name', { answer }),
  get('/about', { answer }),
  get('/about/:topic/more', { answer }),
  post('/about', { answer }),
])

describe('there is a page', () => {
  test.each([
    ['GET', '/', true],
    ['GET', '/octavia/hello', true],
    ['HEAD', '/octavia/hello?x=1', true],
    ['GET', '/octavia', false],
    ['POST', '/octavia/hello', false],
    ['POST', '/about', true],
    ['DELETE', '/about', false],
    // The first segments of the API are no names of owners.
    ['GET', '/repos/5', false],
    // Nor are those of other pages.
    ['GET', '/about', true],
    ['GET', '/about/builds/more', true],
    ['GET', '/about/hello', false],
  ])('for %s %s: %s', (method, url, expected) => {
    expect(hasPage({ method, url })).toBe(expected)
  })
})
