import { warningsSchema } from '../../lint/warnings.ts'
import {
  anyObject,
  constant,
  integer,
  type JsonSchema,
  listOf,
  nothing,
  objectOf,
  orNull,
  refTo,
  text,
  textOrNull,
} from '../../openapi/schema.ts'
import type { schemas } from './schemas.ts'

const one = (name: keyof typeof schemas): JsonSchema => refTo(name)
const many = (name: keyof typeof schemas): JsonSchema => listOf(one(name))
const singleCommit = orNull(one('single_commit'))

/** Schemas of the responses of V2.1's endpoints, for its document. */
export const answers = {
  accessToken: objectOf({ access_token: text }),
  accounts: objectOf({ accounts: many('account') }),
  branch: objectOf({ branch: one('build'), commit: singleCommit }),
  branches: objectOf({ branches: many('build'), commits: many('commit') }),
  broadcasts: objectOf({ broadcasts: listOf(objectOf({ id: integer, message: text })) }),
  build: objectOf({
    build: one('build'),
    commit: singleCommit,
    jobs: many('job'),
    commits: many('commit'),
  }),
  builds: objectOf({ builds: many('build'), jobs: many('job'), commits: many('commit') }),
  caches: objectOf({ caches: many('cache') }),
  channels: objectOf({ channels: { type: 'object', additionalProperties: text }, auth: text }, [
    'channels',
    'auth',
  ]),
  config: objectOf({
    config: objectOf({
      host: {
        ...text,
        description:
          'the host of the pages, with the path of the installation: `https://{host}/{slug}`',
      },
      shorten_host: nothing,
      assets: anyObject,
      streaming: objectOf(
        {
          key: { ...textOrNull, description: 'null without streaming' },
          host: text,
          port: { type: 'integer' },
          path: text,
          scheme: { enum: ['http', 'https'] },
          secure: { type: 'boolean', description: 'whether `scheme` is `https`' },
          private: { const: true },
        },
        ['host', 'port', 'path', 'scheme', 'secure', 'private'],
      ),
      codehost: objectOf({
        api_url: {
          ...text,
          description:
            'the API address of the code host; without an app, an address of this service',
        },
        scopes: listOf(text),
      }),
      notifications: objectOf({ webhook: objectOf({ public_key: text }) }),
    }),
  }),
  envVar: objectOf({ env_var: one('env_var') }),
  envVars: objectOf({ env_vars: many('env_var') }),
  hello: objectOf({ hello: constant('world') }),
  hooks: objectOf({ hooks: many('hook') }),
  job: objectOf({ job: one('job'), commit: singleCommit }),
  jobs: objectOf({ jobs: many('job'), commits: many('commit') }),
  key: objectOf({ key: text, fingerprint: text }),
  lint: objectOf({ lint: objectOf({ warnings: warningsSchema }) }),
  log: objectOf({ log: one('log') }),
  permissions: objectOf({
    permissions: listOf(integer),
    admin: listOf(integer),
    pull: listOf(integer),
    push: listOf(integer),
  }),
  repository: objectOf({ repo: one('repository') }),
  repositories: objectOf({ repos: many('repository') }),
  request: objectOf({ request: one('request'), commit: orNull(one('commit')) }),
  requests: objectOf({ requests: many('request'), commits: many('commit') }),
  restarted: objectOf({ result: { const: true }, flash: listOf(objectOf({ notice: text })) }),
  result: objectOf({ result: { const: true } }),
  settings: objectOf({ settings: one('settings') }),
  sshKey: objectOf({ ssh_key: one('ssh_key') }),
  user: objectOf({ user: one('user') }),
} as const satisfies Readonly<Record<string, JsonSchema>>
