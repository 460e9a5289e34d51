import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appSettings, eventually, toldOf } from '../support/app-story.ts'
import { type FakeCodehost, startCodehost } from '../support/codehost/codehost.ts'
import { deploy, readCompose } from '../support/docker/compose.ts'
import { startTestEngine, type TestEngine, whyNoEngine } from '../support/docker/engine.ts'
import { importImage } from '../support/docker/images.ts'
import { relayTo } from '../support/docker/relay.ts'
import { importPostgres, whyNoServices } from '../support/docker/service-images.ts'
import { needs } from '../support/needs.ts'

const missing = whyNoEngine() ?? whyNoServices()

/** Prints for each address and port whether a connection is made within two seconds. */
const reaches = `
use Socket;
for (@ARGV) {
  my ($host, $port) = split /:/;
  my $address = inet_aton($host);
  if (!$address) { print "$host: no such name\\n"; next }
  socket(my $socket, PF_INET, SOCK_STREAM, 0);
  my $made = eval {
    local $SIG{ALRM} = sub { die };
    alarm 2;
    my $done = connect($socket, pack_sockaddr_in($port, $address));
    alarm 0;
    $done;
  };
  print "$host:$port: ", $made ? "connected" : "kept out", "\\n";
}`

describe('compose.yml', needs({ tests: 'of the service in containers', missing }), () => {
  const root = path.dirname(deploy)
  const folder = mkdtempSync(path.join(tmpdir(), 'build-service-compose-'))
  const key = 'ab'.repeat(32)
  let engine: TestEngine
  let host: FakeCodehost
  let relay: Server
  let url: string
  let composed: ReturnType<typeof readCompose>

  beforeAll(async () => {
    engine = await startTestEngine()
    await engine.start()
    // One image for all but PostgreSQL, because an import takes seconds.
    const programs = [process.execPath, 'redis-server', 'redis-cli']
    await importImage(engine.engine, 'tests:node', { programs })
    for (const name of ['redis:7', 'buildpack-deps:bookworm-scm', 'buildpack-deps:noble']) {
      const [repo = '', tag = ''] = name.split(':')
      await engine.engine.getImage('tests:node').tag({ repo, tag })
    }
    await importPostgres(engine.engine, 'postgres:17')
    const env = { ...engine.env, DOCKER_BUILDKIT: '0' }
    execFileSync('docker', ['build', '--network=none', '-t', 'build-service', '-'], {
      env,
      input: lastStage('tests:node'),
      stdio: ['pipe', 'ignore', 'pipe'],
    })

    const socket = (engine.env['DOCKER_HOST'] ?? '').replace('unix://', '')
    composed = readCompose({
      ...{ env, socket, envFile: path.join(folder, 'service.env'), program: root },
      variables: { POSTGRES_PASSWORD: 'letmein', DOCKER_GROUP: String(statSync(socket).gid) },
    })
    await composed.createNetworks()
    host = await startCodehost()
    relay = await relayTo(host.url, await composed.gatewayOf('outside'))
    writeFileSync(path.join(folder, 'service.env'), settings())
    await composed.start()
    url = `http://${await composed.docker('port', composed.containerOf('web'), '3000')}`
    host.setWebhookUrl(`${url}/webhooks/codehost`)
  })
  afterAll(async () => {
    relay.close()
    await engine.stop()
    await host.stop()
    rmSync(folder, { recursive: true })
  })

  /** The example, filled in with the settings of an app. */
  function settings(): string {
    const gateway = relay.address()
    if (gateway === null || typeof gateway === 'string') throw new Error('no address')
    const app = {
      ...appSettings(host),
      PRIVATE_KEY: host.app.privateKey.trim().replaceAll('\n', '\\n'),
      GHE_HOST: `${gateway.address}:${gateway.port}`,
    }
    const example = readFileSync(path.join(deploy, 'service.env.example'), 'utf8')
    const filled = example.replace('PASSWORD@', 'letmein@').replace('MASTER_KEY=', `$&${key}`)
    return [filled, ...Object.entries(app).map((pair) => `${pair.join('=')}\n`)].join('')
  }

  test('all parts become ready, as an ordinary user on a read-only file system', async () => {
    await eventually(async () => {
      const answer = await fetch(`${url}/ready`)
      expect(await answer.json()).toMatchObject({
        ready: true,
        parts: { runners: { says: '1 of 1 can start jobs' } },
      })
    })
    for (const role of ['web', 'worker', 'runner']) {
      const said = await composed.docker(
        ...['exec', composed.containerOf(role), 'bash', '-c'],
        'id -u; grep CapEff /proc/self/status; ! touch /etc/x 2>/dev/null && touch /data/x && echo as meant',
      )
      expect(said.split(/\s+/)).toEqual(['1000', 'CapEff:', '0000000000000000', 'as', 'meant'])
    }
  })

  test('a push is built in a container that cannot reach the other containers', async () => {
    const targets = [
      ...['database:5432', 'queue:6379', 'web:3000'],
      `${await composed.addressOf('database', 'inside')}:5432`,
      `${await composed.addressOf('queue', 'inside')}:6379`,
      `${await composed.addressOf('web', 'inside')}:3000`,
      `${await composed.addressOf('web', 'outside')}:3000`,
    ]
    // From the worker, the same addresses can be reached.
    const probe = ['exec', composed.containerOf('worker'), 'perl', '-e', reaches, ...targets]
    expect(await composed.docker(...probe)).toBe(
      targets.map((each) => `${each}: connected`).join('\n'),
    )

    const repository = await host.addRepository({ owner: 'acme' })
    const file = ['language: generic', `script: perl reach.pl ${targets.join(' ')}`, '']
    const files = { '.service.yml': file.join('\n'), 'reach.pl': reaches }
    // The repository is known as soon as its installation was read.
    const html = { headers: { accept: 'text/html' } }
    await eventually(async () => expect((await fetch(`${url}/acme/hello`, html)).status).toBe(200))
    const sha = await host.commit(repository, { files })
    await eventually(
      () => expect(toldOf(host, repository, sha).at(-1)).toBe('success: The build passed'),
      80,
    )
    const log = await (await fetch(`${url}/jobs/1/log`)).text()
    expect(log).toContain('executor: docker')
    const said = log
      .split(/\r?\n/)
      .filter((line) => /: (?:no such name|connected|kept out)$/.test(line))
    expect(said).toEqual([
      ...['database', 'queue', 'web'].map((name) => `${name}: no such name`),
      ...targets.slice(3).map((each) => `${each}: kept out`),
    ])
  })
})

/** The final stage of the Dockerfile, without the program, which is mounted. */
function lastStage(image: string): string {
  const text = readFileSync(path.join(deploy, 'Dockerfile'), 'utf8')
  const stage = text.slice(text.lastIndexOf('FROM ')).replace(/^COPY .*\n/m, '')
  return stage.replace(/^FROM .*/, `FROM ${image}`)
}
