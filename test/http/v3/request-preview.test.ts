import { beforeEach, describe, expect, test } from 'vitest'
import { CodehostError } from '../../../src/codehost/codehost.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../../support/memory-codehost.ts'
import { callerOf, forms, refusals, refused, rowCounts } from './roles.ts'

const db = await testDatabase()
const codehosts: { codehost?: MemoryCodehost } = {}
const server = await createServer(testContext(db, codehosts))
const tip = 'a'.repeat(40)

let call: Awaited<ReturnType<typeof callerOf>>
let codehost: MemoryCodehost
beforeEach(async () => {
  call = await callerOf(server, db)
  codehost = memoryCodehost()
  codehosts.codehost = codehost
  codehost.commits.set('refs/heads/main', commitOf(tip, 'Say hello'))
  codehost.commits.set('v1', commitOf(tip, 'Say hello'))
  codehost.files.set(
    tip,
    [
      'language: node_js',
      'node_js: [20, 22]',
      'env: {global: {secure: "abc"}}',
      'jobs:',
      '  include:',
      '    - {script: nightly, if: type = cron}',
    ].join('\n'),
  )
})

const preview = (body?: object) => call('pusher', 'POST /repo/1/request/preview', body)

const part = { '@representation': 'minimal', '@permissions': { read: true, write: true } }
const raw = (source: string, config: unknown, merge_mode: string | null = null) => ({
  '@type': 'request_raw_configuration',
  ...part,
  config,
  source,
  merge_mode,
})
const ownRaw = raw(`acme/web:.service.yml@${tip}`, expect.any(String))

/** One of nothing. */
const empty = {
  '@type': 'request_preview',
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  raw_configs: [],
  request_config: { '@type': 'request_config', config: {} },
  job_configs: [],
  dropped_jobs: [],
  messages: [],
  full_messages: [],
}

describe('a request preview', () => {
  test.each(forms)(
    'shows the result of the build file on the default branch, at %s',
    async (form) => {
      const before = await rowCounts(db)
      const [status, body] = await call('pusher', `POST ${form}/request/preview`)
      expect([status, body]).toEqual([
        200,
        {
          '@type': 'request_preview',
          '@representation': 'standard',
          '@permissions': { read: true, write: true },
          raw_configs: [ownRaw],
          request_config: {
            '@type': 'request_config',
            config: expect.objectContaining({
              language: 'node_js',
              node_js: ['20', '22'],
            }) as object,
          },
          job_configs: ['20', '22'].map((version, index) =>
            expect.objectContaining({
              '@type': 'job_config',
              config: expect.objectContaining({ node_js: version, env: '[secure]' }) as object,
              number: index + 1,
              origin: expect.objectContaining({ kind: 'matrix' }) as object,
            }),
          ),
          dropped_jobs: [
            expect.objectContaining({
              origin: expect.objectContaining({ kind: 'include' }) as object,
              why: expect.objectContaining({
                kind: 'condition',
                condition: 'type = cron',
              }) as object,
            }),
          ],
          messages: expect.arrayContaining([
            expect.objectContaining({ '@type': 'message', id: null, code: 'skip_job' }),
          ]) as unknown,
          full_messages: expect.arrayContaining([
            expect.stringMatching(/^\[info\] \.service\.yml/),
          ]) as unknown,
        },
      ])
      expect(JSON.stringify({ ...(body as object), raw_configs: [] })).not.toContain('abc')
      expect(await rowCounts(db)).toEqual(before)
    },
  )

  test('shows a job with its origin, and the findings', async () => {
    codehost.commits.clear()
    const config = 'language: ruby\nos: linux\ndist: focal\nscript: own\ngit: {depht: 3}\n'
    const shown = { language: 'ruby', dist: 'focal', script: ['own'], git: { depth: 3 } }
    expect(await preview({ config, mode: 'replace' })).toEqual([
      200,
      {
        ...empty,
        raw_configs: [raw('api', config, 'replace')],
        request_config: { '@type': 'request_config', config: { ...shown, os: ['linux'] } },
        job_configs: [
          {
            '@type': 'job_config',
            config: { ...shown, os: 'linux' },
            number: 1,
            name: null,
            stage: null,
            stage_number: null,
            allow_failure: false,
            origin: {
              kind: 'default',
              line: null,
              cell: [{ key: 'os', number: 1, of: 1, line: null }],
            },
          },
        ],
        messages: [
          {
            '@type': 'message',
            ...part,
            id: null,
            level: 'warn',
            key: 'git',
            code: 'find_key',
            args: { key: 'depth', original: 'depht' },
            src: 'api',
            line: 5,
          },
        ],
        full_messages: ['[warn] api:5: unknown key "depht", read as "depth": correct the spelling'],
      },
    ])
  })

  test('shows why nothing would be built', async () => {
    codehost.commits.clear()
    const config = 'if: false\nlanguage: ruby\nos: linux\ndist: focal\nscript: own\n'
    const shown = { language: 'ruby', dist: 'focal', script: ['own'] }
    const cell = [{ key: 'os', number: 1, of: 1, line: null }]
    expect(await preview({ config, mode: 'replace' })).toEqual([
      200,
      {
        ...empty,
        raw_configs: [raw('api', config, 'replace')],
        request_config: {
          '@type': 'request_config',
          config: { ...shown, os: ['linux'], if: 'false' },
        },
        dropped_jobs: [
          {
            name: null,
            stage: null,
            origin: { kind: 'default', line: null, cell },
            why: {
              kind: 'condition',
              condition: 'false',
              line: null,
              src: 'api',
              saw: [],
              error: null,
            },
          },
        ],
        messages: [
          {
            '@type': 'message',
            ...part,
            id: null,
            level: 'info',
            key: 'jobs.include',
            code: 'skip_job',
            args: { condition: 'false', number: 1 },
            src: 'api',
            line: null,
          },
        ],
        full_messages: [
          '[info] api: this is left out, because its condition "false" does not hold',
        ],
      },
    ])
  })

  test('merges the given configurations, and evaluates conditions with the given values', async () => {
    const configs = [{ config: { script: 'mine' }, mode: 'deep_merge' }]
    const data = { type: 'cron', colour: 'red' }
    expect(await preview({ ref: 'v1', configs, data })).toMatchObject([
      200,
      {
        raw_configs: [raw('api', '{"script":"mine"}', 'deep_merge'), ownRaw],
        request_config: { config: { script: ['mine'] } },
        job_configs: [{}, {}, { config: { script: ['nightly'] } }],
        dropped_jobs: [],
      },
    ])
    expect(await preview({ config: 'script: own', mode: 'replace' })).toMatchObject([
      200,
      { raw_configs: [raw('api', 'script: own', 'replace')], job_configs: [{ number: 1 }] },
    ])
  })

  test('shows jobs as they are shown later, without their deployments', async () => {
    const config = 'script: own\ndeploy: {provider: script, script: ship}\n'
    const [status, body] = await preview({ config, mode: 'replace' })
    const { request_config, job_configs } = body as Record<
      'request_config' | 'job_configs',
      unknown
    >
    expect([status, request_config]).toMatchObject([
      200,
      { config: { deploy: [{ provider: 'script' }] } },
    ])
    expect(job_configs).toMatchObject([{ config: { script: ['own'] } }])
    expect(JSON.stringify(job_configs)).not.toContain('deploy')
  })

  test('counts the caller as the sender, unless it names another sender', async () => {
    const body = { config: 'script: own\nif: sender = pusher\n', mode: 'replace' }
    const why = { kind: 'condition', condition: 'sender = pusher' }
    expect(await preview(body)).toMatchObject([200, { job_configs: [{}], dropped_jobs: [] }])
    expect(await preview({ ...body, data: { sender: 'reader' } })).toMatchObject([
      200,
      { job_configs: [], dropped_jobs: [{ why }] },
    ])
    expect(await call('admin', 'POST /repo/1/request/preview', body)).toMatchObject([
      200,
      { job_configs: [], dropped_jobs: [{ why }] },
    ])
  })

  test.each(['new', 'preview2', 'x-1'])(
    'is found at any word that is not an id: %s',
    async (word) => {
      const path = `POST /repo/1/request/${word}`
      expect(await call('pusher', path, { config: 'script: own', mode: 'replace' })).toMatchObject([
        200,
        { '@type': 'request_preview', job_configs: [{ config: { script: ['own'] } }] },
      ])
      expect(await call('pusher', 'POST /repo/1/request/1', {})).toMatchObject([
        405,
        { error_type: 'method_not_allowed' },
      ])
    },
  )

  test('hides add-ons that can hold a secret, and shows variables as one text', async () => {
    const addons = { apt: { packages: ['make'] }, sauce_connect: { username: 'me' } }
    const env = { global: [{ A: '1' }], jobs: [{ B: '2' }, { B: '3' }] }
    expect(await preview({ config: { script: 'own', addons, env } })).toMatchObject([
      200,
      {
        request_config: {
          config: { addons: { apt: { packages: ['make'] } }, env: 'B=2 B=3', global_env: 'A=1' },
        },
      },
    ])
    const [, body] = await preview({ config: { script: 'own', addons } })
    expect(JSON.stringify((body as { request_config: object }).request_config)).not.toContain(
      'sauce',
    )
  })

  test('needs no commit if it has a configuration', async () => {
    codehost.commits.clear()
    expect(await preview({ config: 'script: own' })).toMatchObject([
      200,
      { job_configs: [{ config: { script: ['own'] } }] },
    ])
    expect(await preview()).toEqual(refused('client_error', 400, 'there is no commit to preview'))
    expect(await preview({ ref: 'gone', config: 'script: own' })).toEqual(
      refused('client_error', 400, 'there is no commit gone'),
    )
  })

  test('reports that there is neither a build file nor a configuration', async () => {
    codehost.files.clear()
    expect(await preview()).toEqual(
      refused('client_error', 400, `there is no .service.yml to preview in ${tip}`),
    )
    expect(await preview({ config: 'script: own' })).toMatchObject([200, {}])
  })

  test('refuses an unreadable configuration, but shows the error of an unreadable build file', async () => {
    expect(await preview({ config: 'script: [' })).toMatchObject([
      400,
      { error_type: 'client_error' },
    ])
    codehost.files.set(tip, 'script: [')
    expect(await preview()).toMatchObject([
      200,
      { job_configs: [], messages: [{ level: 'error', src: '.service.yml', line: 1 }] },
    ])
  })

  test.each([
    [{ data: { branch: 7 } }, 'data must be an object'],
    [{ data: 'x' }, 'data must be an object'],
    [{ mode: 'sideways' }, 'mode must be one of'],
    [{ config: 7 }, 'config must be a configuration'],
  ])('refuses %j', async (body, message) => {
    expect(await preview(body)).toMatchObject([
      400,
      { error_type: 'wrong_params', error_message: expect.stringContaining(message) as string },
    ])
  })

  test('reports that the code host is unreachable', async () => {
    codehost.failure = new CodehostError('it is away', { kind: 'away' })
    expect(await preview()).toMatchObject([503, { error_type: 'service_unavailable' }])
  })

  test.each(refusals)('is refused to %s', async (who, ...answers) => {
    const paths = [1, 2, 9].map((id) => `POST /repo/${id}/request/preview`)
    expect(await Promise.all(paths.map((path) => call(who, path)))).toEqual(answers)
    expect(codehost.calls).toEqual([])
  })
})
