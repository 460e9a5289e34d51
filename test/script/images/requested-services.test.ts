import { describe, expect, test } from 'vitest'
import type { JobConfig } from '../../../src/domain/job/job.ts'
import { defaultImageMap, readImageMap } from '../../../src/script/images/image-map.ts'
import { requestedServices } from '../../../src/script/services/requested-services.ts'

const images = (
  config: JobConfig,
  { map = '', engine = false }: { map?: string; engine?: boolean | 'fork' } = {},
) => {
  const read = map === '' ? defaultImageMap : readImageMap(map)
  const found = requestedServices(config, { slug: 'acme/site', map: read, engine })
  return 'lacks' in found ? found.lacks : found.services.map(({ image }) => image)
}

describe('the services of a build file', () => {
  test('have official images, with the version from an add-on', () => {
    expect(images({})).toEqual([])
    expect(images({ services: 'redis' })).toEqual(['redis:7'])
    expect(
      images({ services: ['mysql', 'xvfb', 'postgresql'], addons: { postgresql: '9.6' } }),
    ).toEqual(['mysql:8.0', 'postgres:9.6'])
    expect(images({ addons: { mariadb: 10.4, postgresql: '13.x' } })).toEqual([
      'postgres:13',
      'mariadb:10.4',
    ])
    expect(images({ addons: { postgresql: 'a b' } })).toContain(
      '"postgresql: a b", which cannot be part of the name of an image',
    )
  })

  test('tell the job the requested version of MariaDB or RethinkDB', () => {
    const config = { services: ['redis'], addons: { mariadb: 10.4, rethinkdb: '2.4' } }
    const found = requestedServices(config, { slug: 'a/b', map: defaultImageMap, engine: false })
    expect('lacks' in found ? found : found.services.map(({ variables }) => variables)).toEqual([
      {},
      { SERVICE_MARIADB_VERSION: '10.4' },
      { SERVICE_RETHINKDB_VERSION: '2.4' },
    ])
  })

  test('can have images from IMAGES', () => {
    const map = [
      'services:',
      '  postgresql: postgis/postgis:{version}-3.4',
      '  riak: basho/riak-kv',
      'repositories:',
      '  acme/*:',
      '    services:',
      '      redis: registry.example/redis:6',
    ].join('\n')
    expect(images({ services: ['postgresql', 'redis', 'riak'] }, { map })).toEqual([
      'postgis/postgis:16-3.4',
      'registry.example/redis:6',
      'basho/riak-kv',
    ])
    expect(() => readImageMap('services:\n  postgres: a:1')).toThrow(
      'line 2: there is no service "postgres": write one of cassandra, couchdb,',
    )
  })

  test('that cannot be started are refused with an explanation', () => {
    expect(images({ services: ['riak'] })).toContain('"riak", which has no official image')
    expect(images({ services: ['constructor'] })).toContain('"constructor", which this service')
    expect(images({ services: ['mysql'], addons: { mariadb: '10' } })).toBe(
      '.service.yml asks for the services "mysql" and "mariadb", which both use port 3306: remove one of them.',
    )
  })

  test('include an engine only if an administrator allows that, and never for forks', () => {
    const config = { services: ['docker'] }
    expect(images(config)).toBe(
      '.service.yml asks for "services: docker", but this service gives the jobs of "acme" no Docker ' +
        'engine: have an administrator add "acme" to the setting DOCKER_IN_JOBS, or remove "docker" from "services".',
    )
    expect(images(config, { engine: 'fork' })).toContain('pull requests from forks never get')
    expect(images(config, { engine: true })).toEqual(['docker:27-dind'])
  })
})
