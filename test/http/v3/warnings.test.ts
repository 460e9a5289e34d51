import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { hello, makeScene } from './scene.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

beforeAll(() => makeScene(db))

describe('a parameter', () => {
  test.each(['server_type=git', 'repository.server_type=git', '@type=x', 'representation=list'])(
    'with an accepted name and no effect changes nothing: %s',
    async (query) => {
      expect(await call(`GET /repo/1?${query}`)).toEqual({ status: 200, body: hello })
    },
  )

  test('with an unknown name leads to warnings in the order of the query', async () => {
    const warning = (parameter: string) => ({
      '@type': 'warning',
      message: `parameter ${parameter} is not accepted here, ignored`,
      warning_type: 'ignored_parameter',
      parameter,
    })
    const { body } = await call('GET /repo/1?foo=1&include=&limit=5&repository.id=2&bar[x]=1')
    expect(body).toEqual({
      '@warnings': ['foo', 'limit', 'repository.id', 'bar'].map(warning),
      ...hello,
    })
    expect(Object.keys(body as object)[0]).toBe('@warnings')
  })

  test('with a deprecated include leads to the first warning', async () => {
    const { body } = await call('GET /repo/1?foo=1&include=repository.current_build')
    expect(body).toMatchObject({
      '@warnings': [{ parameter: 'current_build' }, { parameter: 'foo' }],
    })
  })

  test('with an ignored value leads to a warning before those of unknown parameters', async () => {
    const query = 'foo=1&sort_by=x,id,y&include=repository.current_build'
    const { body } = await call(`GET /owner/octavia/repos?${query}`)
    expect(body).toMatchObject({
      '@warnings': [
        { warning_type: 'deprecated_parameter', parameter: 'current_build' },
        { warning_type: 'ignored_value', parameter: 'sort_by', value: 'x' },
        { warning_type: 'ignored_value', parameter: 'sort_by', value: 'y' },
        { warning_type: 'ignored_parameter', parameter: 'foo' },
      ],
      repositories: [{ id: 1 }],
    })
  })

  test('with a deprecated include leads to a single warning, and only if the attribute is shown', async () => {
    const twice = 'repository.current_build,repository.current_build,request.yaml_config'
    const { body } = await call(`GET /repo/1?include=${twice}`)
    expect(body).toMatchObject({ '@warnings': [{ parameter: 'current_build' }] })
    expect((body as { '@warnings': object[] })['@warnings']).toHaveLength(1)
  })

  test('leads to no warning in an error', async () => {
    const { body } = await call('GET /repo/99?foo=1')
    expect(body).not.toHaveProperty('@warnings')
  })
})
