import { availableParallelism, homedir } from 'node:os'
import path from 'node:path'
import { SetupError } from '../domain/errors.ts'
import type { PathVariable } from '../domain/job/language-tools.ts'
import { type MachineChoice, otherMachines } from '../domain/job/machine.ts'
import { forkApprovals } from '../domain/request/approval.ts'
import {
  account,
  address,
  bytes,
  decimal,
  destinations,
  engineOwners,
  queueNames,
  queueRules,
  flag,
  folders,
  host,
  integer,
  logins,
  mailbox,
  networks,
  oneOf,
  optional,
  origins,
  proxies,
  secret,
  type Setting,
  someOf,
  text,
  url,
} from './setting.ts'

export const roles = ['web', 'worker', 'runner'] as const
export type ServiceRole = (typeof roles)[number]

/** Every setting there is. `docs/settings.md` is generated from this table. */
const settings = {
  host: host('HOST', '127.0.0.1', 'Address on which the HTTP server listens.'),
  port: integer('PORT', 3000, 'Port on which it listens; 0 selects a free one.', {
    min: 0,
    max: 65_535,
  }),
  publicUrl: url(
    'PUBLIC_URL',
    ['http:', 'https:'],
    '`http://HOST:PORT`',
    'Public address of the service for users and the code host. Its path is the prefix of all paths.',
  ),
  trustProxy: proxies(
    'TRUST_PROXY',
    'none',
    'Proxies whose `X-Forwarded-For` is trusted: addresses or networks separated by commas, or `true` for any. Set it behind a proxy, or all callers share one budget of the linter and one rate of logins.',
  ),
  dataDir: optional(
    'DATA_DIR',
    'root: `/var/lib/build-service`; others: `build-service` in `$XDG_DATA_HOME` or `~/.local/share`; the demo: a new temporary folder',
    'Folder for everything that is stored on disk.',
  ),
  databaseUrl: url(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'embedded PostgreSQL',
    'PostgreSQL server (15 or later) to use instead of the embedded one.',
    { secret: true },
  ),
  redisUrl: url(
    'REDIS_URL',
    ['redis:', 'rediss:'],
    'queue in PostgreSQL',
    'Redis server for the queue. Keep its append-only file on, or a crash loses entries (the sweep adds them again later).',
    { secret: true },
  ),
  streamingUrl: url(
    'STREAMING_URL',
    ['http:', 'https:'],
    'streaming service of this process',
    'Service of the Pusher protocol through which live events reach clients instead, such as `https://stream.example.org`: its HTTP interface and its sockets are at this address.',
  ),
  streamingAppId: optional(
    'STREAMING_APP_ID',
    '`build-service`',
    'Id of the application at the [streaming service](live.md).',
  ),
  streamingKey: optional(
    'STREAMING_KEY',
    'derived from MASTER_KEY',
    'Its public key, with which clients connect.',
  ),
  streamingSecret: secret(
    'STREAMING_SECRET',
    'derived from MASTER_KEY',
    'Its secret, which signs channels and calls of its HTTP interface.',
  ),
  objectStoreUrl: url(
    'OBJECT_STORE_URL',
    ['file:', 's3:'],
    '`DATA_DIR/objects`; with `DATABASE_URL`, logs stay in the database',
    'Where finished logs are kept, compressed: `file:///srv/objects`, or `s3://bucket/prefix` with the variables below. [Logs](logs.md) describes both.',
  ),
  awsAccessKeyId: optional('AWS_ACCESS_KEY_ID', '', 'Id of the key for `s3:`.'),
  awsSecretAccessKey: secret('AWS_SECRET_ACCESS_KEY', '', 'The key itself.'),
  awsSessionToken: secret('AWS_SESSION_TOKEN', '', 'The token of a temporary key.'),
  awsRegion: text('AWS_REGION', 'us-east-1', 'Region of the bucket; `auto` for R2.'),
  awsEndpointUrl: url(
    'AWS_ENDPOINT_URL',
    ['http:', 'https:'],
    'AWS',
    'Address of another S3-compatible store, without the bucket.',
  ),
  logRedirects: flag(
    'LOG_REDIRECTS',
    true,
    'Whether `/jobs/{id}/log` redirects to logs in `s3:`, by an address that is signed for 60 s. With `false`, for a store that clients cannot reach, the service sends them itself.',
  ),
  roles: someOf(
    'ROLE',
    roles,
    roles,
    'What this process does: serve HTTP, process queue entries, run jobs. `--role` sets the same.',
  ),
  masterKey: secret(
    'MASTER_KEY',
    '`DATA_DIR/master.key`, created at the first start',
    'Key that seals secrets: 32 bytes as 64 hex digits or in base64. The same for all processes of one installation. Of several keys, separated by commas, the first seals and all open: `build-service rotate-keys --help` describes how to change it.',
  ),
  appId: optional('APP_ID', 'local mode', 'Id of the registered app at the code host.'),
  privateKey: secret(
    'PRIVATE_KEY',
    '',
    'Private key of the app, PEM; `\\n` stands for a line break.',
  ),
  privateKeyPath: optional('PRIVATE_KEY_PATH', '', 'File with the private key of the app.'),
  webhookSecret: secret('WEBHOOK_SECRET', '', 'Secret with which the app signs its webhooks.'),
  clientId: optional('GITHUB_CLIENT_ID', '', 'Client id of the app, for logins.'),
  clientSecret: secret('GITHUB_CLIENT_SECRET', '', 'Client secret of the app, for logins.'),
  gheHost: optional('GHE_HOST', 'github.com', 'Host name of a GitHub Enterprise Server.'),
  gheProtocol: oneOf('GHE_PROTOCOL', ['https', 'http'], 'https', 'Protocol of that host.'),
  webhookProxyUrl: url(
    'WEBHOOK_PROXY_URL',
    ['http:', 'https:'],
    '',
    'Address of a relay such as smee.io from which webhooks are received, for development on a machine that the code host cannot reach.',
  ),
  statusContext: text(
    'STATUS_CONTEXT',
    'service',
    'Middle part of the commit statuses’ contexts: `continuous-integration/<it>/push`, `/tag`, `/cron`, `/api` and `/pr`. When it changes, pending statuses under the earlier name end with an error.',
  ),
  executor: oneOf(
    'EXECUTOR',
    ['process', 'docker'],
    'process',
    'How jobs run here: `process` with the programs of this machine, `docker` each in a [container](containers.md) of its own with the image of its language. Each runner has its own.',
  ),
  images: optional(
    'IMAGES',
    'usual images',
    'Images of languages where they differ from the [usual ones](containers.md#images): YAML, or the path of a file with it, which begins with `/` or `.`.',
  ),
  cloneImage: text(
    'CLONE_IMAGE',
    'buildpack-deps:bookworm-scm',
    'Image in which commits are fetched and networks of jobs are set up. It needs bash, git, ssh and perl.',
  ),
  imageDays: integer(
    'IMAGE_DAYS',
    14,
    'Days after which an image that this service pulled, and that no job used since, is removed; images are removed sooner while less than 10 GB of the disk are free.',
    { min: 1, max: 10_000 },
  ),
  jobMemory: bytes(
    'JOB_MEMORY',
    'memory of the machine minus 1 GiB, divided by RUNNER_SLOTS',
    'Memory of a job in a container, such as `2g`.',
    16 * 1024 ** 2,
  ),
  jobDisk: bytes(
    'JOB_DISK',
    'unlimited',
    'Disk that the files of a job without a container can take, such as `10g`. It is measured every 30 seconds; a job that takes more is ended.',
    1024 ** 2,
  ),
  jobCpus: decimal(
    'JOB_CPUS',
    'cores of the machine, divided by RUNNER_SLOTS',
    'Number of processors that a job in a container can use, such as `1.5`.',
  ),
  jobPids: integer('JOB_PIDS', 1024, 'Processes of a job that may run at the same time.', {
    min: 16,
    max: 1_000_000,
  }),
  jobUser: account(
    'JOB_USER',
    'root of the container',
    'User and group of jobs in containers, as numbers: `1000:1000`. Without root, `sudo` and `apt-get` do not work.',
  ),
  jobNetworkAllow: destinations(
    'JOB_NETWORK_ALLOW',
    'none',
    'Addresses, networks and names that jobs in containers reach although they belong to the machine or its link, separated by commas.',
  ),
  dockerInJobs: engineOwners(
    'DOCKER_IN_JOBS',
    'Owners whose jobs in containers get a Docker engine of their own where the build file has `services: docker`: `dind:acme,octavia`. Such an engine has all rights on the machine, so name only owners with push access for people whom you would let log in there. Forks never get one.',
  ),
  forkApproval: oneOf(
    'FORK_APPROVAL',
    forkApprovals,
    'always',
    'Which [pull requests from forks](github-app.md#without-an-approval) wait for an approval: all (`always`), those of authors of whom none was approved before (`first`), or none (`never`). Runners refuse to start with the last two without containers whose root is an ordinary user of the machine. Set it for all processes of an installation.',
  ),
  queues: queueRules(
    'QUEUES',
    'Which jobs go to which [queue](running.md#runners-for-some-jobs), such as `gpu: owner=acme language=cpp|c; docker: services=docker`. The first that fits counts, the others are in `builds.linux`. Set it for all processes of an installation.',
  ),
  runnerQueues: queueNames(
    'RUNNER_QUEUES',
    'all',
    'Queues whose jobs this runner takes, separated by commas.',
  ),
  runnerSlots: integer(
    'RUNNER_SLOTS',
    availableParallelism(),
    'Number of jobs that run here at the same time.',
    { min: 1, max: 1000, shown: 'number of cores' },
  ),
  jobsWithoutIsolation: flag(
    'JOBS_WITHOUT_ISOLATION',
    false,
    'Run jobs of repositories of a real code host where they cannot be isolated (level `none`). Anyone with push access can then read and change the whole service.',
  ),
  runnerPath: folders(
    'RUNNER_PATH',
    'the usual system folders',
    'Folders in which jobs find programs, separated by colons, before the usual ones. Folders outside of `/usr`, `/etc` and `/opt` must be listed in `RUNNER_READ_ONLY` as well.',
  ),
  runnerReadOnly: folders(
    'RUNNER_READ_ONLY',
    'none',
    'More folders that jobs may read, separated by colons: version managers such as `/home/ci/.nvm`. They must not contain secrets.',
  ),
  languageVersions: oneOf(
    'LANGUAGE_VERSIONS',
    ['exact', 'present'],
    'exact',
    'What happens when a build file asks for a version of its language that is not installed: with `exact` the job ends with an error that lists the available versions, with `present` it runs with an available version, and the log says so. `build-service run` uses `present`. In containers the image decides.',
  ),
  otherMachines: oneOf(
    'OTHER_MACHINES',
    otherMachines,
    'refuse',
    'What happens to jobs whose build file names an `os` or `arch` that no runner matches: with `refuse` they end with an error, with `skip` they are left out and do not count for their build, with `run` they run on the runners there are. Each outcome is shown in the log, on the page, in the API and in the commit’s status. `build-service run` has the option `--other-machines`.',
  ),
  unmetMinutes: integer(
    'UNMET_MINUTES',
    0,
    'Minutes that such a job waits for a runner before `OTHER_MACHINES=refuse` ends it.',
    { min: 0, max: 100_000 },
  ),
  ownerJobs: integer(
    'OWNER_JOBS',
    5,
    'Number of jobs that run at the same time for one owner; -1 means no limit.',
    { min: -1, max: 10_000 },
  ),
  requestsPerHour: integer(
    'REQUESTS_PER_HOUR',
    10,
    'Builds of one repository that can be requested through the API within an hour, unless its setting `api_builds_rate_limit` says otherwise.',
    { min: 0, max: 10_000 },
  ),
  logLimit: integer('LOG_LIMIT', 4_500_000, 'Bytes of output after which a job is terminated.', {
    min: 10_000,
    max: 1_000_000_000,
  }),
  logAgeLimit: flag(
    'LOG_AGE_LIMIT',
    false,
    'Hide the logs of jobs that started more than `job_log_access_older_than_days` (365) days ago, unless `job_log_time_based_limit` is on for their repository.',
  ),
  jobMinutes: integer(
    'JOB_MINUTES',
    undefined,
    'Minutes after which a job is terminated, unless its repository has a `timeout_hard_limit`.',
    { min: 1, max: 100_000, shown: '50; 120 in private repositories' },
  ),
  silenceMinutes: integer(
    'SILENCE_MINUTES',
    10,
    'Minutes without output after which a job is terminated, unless its repository has a `timeout_log_silence`.',
    { min: 1, max: 100_000 },
  ),
  cancelGraceSeconds: integer(
    'CANCEL_GRACE_SECONDS',
    5,
    'Seconds between SIGTERM and SIGKILL for a job that is canceled or reaches a limit of time, so that it can tidy up; 0 kills it immediately.',
    { min: 0, max: 300 },
  ),
  bodyRetentionDays: integer(
    'WEBHOOK_RETENTION_DAYS',
    7,
    'Days for which the bodies of processed webhooks are kept.',
    { min: 0, max: 3650 },
  ),
  logDays: integer(
    'LOG_DAYS',
    0,
    'Days after which the log of a finished job is removed; 0 keeps all. A repository’s `log_days` can only shorten it.',
    { min: 0, max: 36_500 },
  ),
  buildDays: integer(
    'BUILD_DAYS',
    0,
    'Days after which a finished build is deleted with its jobs and logs, and a request without a build; 0 keeps all. The newest builds of each branch stay (`BUILDS_KEPT`). A repository’s `build_days` can only shorten it.',
    { min: 0, max: 36_500 },
  ),
  buildsKept: integer(
    'BUILDS_KEPT',
    10,
    'Number of newest builds of each branch that are kept whatever their age. A repository’s `builds_kept` can only lower it.',
    { min: 1, max: 1_000_000_000 },
  ),
  activateInstalled: flag(
    'ACTIVATE_INSTALLED',
    true,
    'Activate the repositories that are added to an installation of the app.',
  ),
  catchUpTags: flag(
    'CATCH_UP_TAGS',
    true,
    'Build new tags whose webhooks were lost. A check reads the newest 100 tags of a repository and builds at most 20. The first check, and the first after this was `false`, records tags without building them.',
  ),
  statusForSkipped: flag(
    'STATUS_FOR_SKIPPED',
    true,
    'Post `success` with the reason on commits that are skipped on purpose.',
  ),
  buildCheck: flag(
    'BUILD_CHECK',
    false,
    'Post a check run for each build as well, with its jobs and the last lines of those that did not pass. When it is turned off, or `STATUS_CONTEXT` changes, the checks of running builds are never completed.',
  ),
  smtpUrl: url(
    'SMTP_URL',
    ['smtp:', 'smtps:'],
    'no mail',
    'Mail server for notifications about builds: `smtp://user:password@mail.example.org:587`, or `smtps://…` for TLS from the start.',
    { secret: true },
  ),
  mailFrom: mailbox('MAIL_FROM', '', 'Sender address of mails. Required with `SMTP_URL`.'),
  notificationNetworks: networks(
    'NOTIFICATION_NETWORKS',
    'none',
    'Private networks to which notifications may be posted, such as `10.1.0.0/16`, separated by commas. Anyone with push access can name any address there.',
  ),
  notificationUrl: url(
    'NOTIFICATION_URL',
    ['http:', 'https:'],
    'none',
    'An address that receives a copy of every webhook that a repository sends.',
    { secret: true },
  ),
  admins: logins(
    'ADMINS',
    'the user `local`',
    'More administrators of the installation, such as `codehost:octavia`, separated by commas: they see its webhooks, runners, queues and audit records, but no additional private repositories.',
  ),
  allowedLogins: logins(
    'ALLOWED_LOGINS',
    'everyone who can see an installed repository',
    'Users who can log in, such as `codehost:octavia`, separated by commas. Administrators always can.',
  ),
  allowedOrganizations: logins(
    'ALLOWED_ORGANIZATIONS',
    '',
    'Organizations whose members can log in as well, such as `codehost:acme`, separated by commas.',
  ),
  owners: logins(
    'OWNERS',
    'all',
    'Whose repositories of the code host are built: users and organizations such as `codehost:octavia`, separated by commas. Requests in repositories of other owners are rejected, with this reason.',
  ),
  forceAuthentication: flag(
    'FORCE_AUTHENTICATION',
    false,
    'Ask every caller to log in, except for the home and connection documents, V2.1’s linter, the documentation, the signatures of public channels, logins (`/auth/*`), the links in mails (`/unsubscribe/{link}`), and `/health`, `/uptime` and `/ready`.',
  ),
  publicMode: flag(
    'PUBLIC_MODE',
    true,
    'Show public repositories to everyone. With `false`, only users with a role on a repository can see it.',
  ),
  rateLimits: flag(
    'RATE_LIMITS',
    false,
    'Limit all calls of the API: an address without a token, or with a wrong one, can make 500 a minute, a user 2,000; further ones get 429. [Some calls](api.md#limits-of-calls) are always limited.',
  ),
  allowedOrigins: origins(
    'ALLOWED_ORIGINS',
    'own origin',
    'Origins (https) that a login may return to, separated by commas.',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    'no metrics',
    'Token with which Prometheus reads [`/metrics`](running.md#monitoring), as `Authorization: Bearer …`.',
  ),
  metricsAddress: address(
    'METRICS_ADDRESS',
    'none',
    'Another address and port at which a web process shows `/metrics`, and nothing else, without a token, such as `127.0.0.1:9464`. Everyone who reaches it can read them.',
  ),
  logLevel: oneOf(
    'LOG_LEVEL',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'Minimum level of the service’s own log: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  ),
  logFormat: oneOf(
    'LOG_FORMAT',
    ['auto', 'pretty', 'json'],
    'auto',
    'Format of that log: `pretty` or `json`.',
    { shown: 'pretty on a terminal, JSON elsewhere' },
  ),
} as const satisfies Record<string, Setting<never> | Setting<unknown>>

type ReadSettings = { [K in keyof typeof settings]: (typeof settings)[K]['fallback'] }

export type Config = Readonly<
  Omit<ReadSettings, 'dataDir'> & {
    dataDir: string
    /** The variable that sets `runnerPath`, so that messages can name it. */
    pathVariable: PathVariable
    /** What sets `otherMachines`, so that messages can name it. */
    machineChoice: MachineChoice
    /** Variables of the `docker` command, which name an engine and the logins of registries. */
    engine: Environment
  }
>

/** All problems of the settings, each a sentence that names its variable. */
export class SettingsError extends SetupError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings from an environment. Throws one SettingsError that lists all problems. */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const read = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const value = env[setting.variable]?.trim()
      if (value === undefined || value === '') return [name, setting.fallback]
      try {
        return [name, setting.read(value)]
      } catch (error) {
        problems.push(`${setting.variable} ${(error as Error).message}`)
        return [name, setting.fallback]
      }
    }),
  ) as ReadSettings

  problems.push(...contradictions(read))
  if (problems.length > 0) throw new SettingsError(problems)
  const dataDir = path.resolve(read.dataDir ?? usualFolder(env))
  const names = { pathVariable: 'RUNNER_PATH', machineChoice: 'OTHER_MACHINES=' } as const
  return Object.freeze({ ...read, ...names, dataDir, engine: engineOf(env) })
}

/** The variables of an environment that name an engine, and where to look for logins. */
export function engineOf(env: Environment): Environment {
  const names = Object.keys(env).filter((name) => name.startsWith('DOCKER_'))
  return Object.fromEntries(
    [...names, 'XDG_RUNTIME_DIR', 'HOME', 'PATH'].map((name) => [name, env[name]]),
  )
}

function contradictions(read: ReadSettings): string[] {
  const problems: string[] = []
  if (read.appId !== undefined) {
    if (!/^\d+$/.test(read.appId)) problems.push('APP_ID must be the number of the app')
    if (!read.privateKey && !read.privateKeyPath) {
      problems.push('PRIVATE_KEY or PRIVATE_KEY_PATH is needed with APP_ID')
    }
    if (!read.webhookSecret) problems.push('WEBHOOK_SECRET is needed with APP_ID')
  }
  if (read.smtpUrl !== undefined && read.mailFrom === undefined) {
    problems.push('MAIL_FROM is needed with SMTP_URL')
  }
  const named = [read.streamingAppId, read.streamingKey, read.streamingSecret]
  const areAll = named.every((value) => value !== undefined)
  if (!areAll && [read.streamingUrl, ...named].some((value) => value !== undefined)) {
    problems.push(
      'STREAMING_APP_ID, STREAMING_KEY and STREAMING_SECRET are needed together, and with STREAMING_URL',
    )
  }
  if (read.objectStoreUrl !== undefined)
    problems.push(...problemsOfStore(read.objectStoreUrl, read))
  if (read.masterKey !== undefined && readKeys(read.masterKey) === undefined) {
    problems.push(
      'MASTER_KEY must be 32 bytes, as 64 hex digits or in base64, or several separated by commas',
    )
  }
  return problems
}

function problemsOfStore(
  address: string,
  {
    awsAccessKeyId,
    awsSecretAccessKey,
    awsEndpointUrl,
  }: Pick<ReadSettings, 'awsAccessKeyId' | 'awsSecretAccessKey' | 'awsEndpointUrl'>,
): string[] {
  const { protocol, host, pathname } = new URL(address)
  // They are stored with each object, and printed.
  const named = [
    ['OBJECT_STORE_URL', address],
    ['AWS_ENDPOINT_URL', awsEndpointUrl],
  ] as const
  const unfit = named.filter(([, url]) => url !== undefined && !isPlace(url))
  if (unfit.length > 0) {
    return unfit.map(([name]) => `${name} must have no credentials, query or fragment`)
  }
  if (protocol === 'file:') {
    return host === '' && pathname.length > 1
      ? []
      : ['OBJECT_STORE_URL must name a folder, as in file:///srv/objects']
  }
  const problems: string[] = []
  if (host === '') problems.push('OBJECT_STORE_URL must name a bucket, as in s3://bucket')
  if (!/^[a-z\d._/-]*$/.test(pathname)) {
    problems.push('OBJECT_STORE_URL can have only a-z, digits and ._/- after the bucket')
  }
  if (awsAccessKeyId === undefined || awsSecretAccessKey === undefined) {
    problems.push(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are needed with OBJECT_STORE_URL=s3:',
    )
  }
  return problems
}

/** Whether an address has nothing but where something is; an empty query counts as one. */
function isPlace(address: string): boolean {
  const { username, password } = new URL(address)
  return username === '' && password === '' && !/[?#]/.test(address)
}

type Keys = [first: Buffer, ...others: Buffer[]]

/** Reads keys separated by commas or white space; undefined if any of them is invalid. */
export function readKeys(written: string): Keys | undefined {
  const keys = written
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(readKey)
  return keys.length > 0 && keys.every((key) => key !== undefined) ? (keys as Keys) : undefined
}

/** The 32 bytes of a key written as hex or base64; undefined when it is neither. */
function readKey(written: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(written)
    ? Buffer.from(written, 'hex')
    : Buffer.from(written, 'base64')
  return key.length === 32 ? key : undefined
}

function usualFolder(env: Environment): string {
  if (process.getuid?.() === 0) return '/var/lib/build-service'
  return path.join(env.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'), 'build-service')
}

/** The table of settings for `docs/settings.md`, as Markdown. */
export function settingsTable(): string {
  const rows = Object.values(settings).map(
    ({ variable, shown, meaning }) => `| \`${variable}\` | ${shown} | ${meaning} |`,
  )
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}
