import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Executor, Exit, JobSpec, Running } from '../../src/runner/executor.ts'
import {
  createDockerExecutor,
  type DockerOptions,
} from '../../src/runner/executors/docker/executor.ts'
import { createImages } from '../../src/runner/executors/docker/images.ts'
import { executorContract, type Tried } from '../runner/executor.contract.ts'
import {
  addresses,
  startTestEngine,
  type TestEngine,
  whyNoEngine,
} from '../support/docker/engine.ts'
import { addToImage, importImage } from '../support/docker/images.ts'
import { startRegistry } from '../support/docker/registry.ts'
import { needs } from '../support/needs.ts'

const never = new AbortController().signal

/** Listens on a port, and prints the address. */
const listens = `exec perl -MSocket -e '
  $| = 1;
  socket(my $udp, PF_INET, SOCK_DGRAM, 0);
  connect($udp, sockaddr_in(9, inet_aton("192.0.2.99")));
  my ($port, $own) = sockaddr_in(getsockname($udp));
  socket(my $tcp, PF_INET, SOCK_STREAM, 0);
  bind($tcp, sockaddr_in(4321, INADDR_ANY));
  listen($tcp, 5);
  print "at ", inet_ntoa($own), "\\nlistens\\n";
  sleep 60;
'`

/** Tries to reach an address from a socket that is bound to a device, which ignores the routes. */
const reachBound = (address: string, port: number) => `timeout 3 perl -MSocket -e '
  socket(my $tcp, PF_INET, SOCK_STREAM, 0);
  setsockopt($tcp, SOL_SOCKET, 25, "eth0\\0") or die;
  connect($tcp, sockaddr_in(${port}, inet_aton("${address}"))) and print "reached ${address}\\n";
' 2>/dev/null`

describe('containers', needs({ tests: 'of jobs in containers', missing: whyNoEngine() }), () => {
  let engine: TestEngine
  const folder = mkdtempSync('/tmp/containers-')
  const workDir = path.join(folder, 'work')
  const imagesFile = path.join(folder, 'images.json')
  let runs = 0

  beforeAll(async () => {
    engine = await startTestEngine()
    await engine.start()
    await importImage(engine.engine, 'tests:base', {
      scripts: { 'usr/bin/node': '#!/bin/sh\necho v18.20.8\n' },
    })
    const base = engine.engine.getImage('tests:base')
    await base.tag({ repo: 'node', tag: '18' })
  })
  afterAll(async () => {
    await engine.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function open(options: Partial<DockerOptions> = {}): Executor {
    const executor = createDockerExecutor({
      workDir,
      images: { file: imagesFile, days: 14 },
      runnerId: 'tests',
      cloneImage: 'tests:base',
      slots: 2,
      env: engine.env,
      ...options,
    })
    onTestFinished(() => executor.close())
    return executor
  }

  function specOf(script: string, changes: Partial<JobSpec> = {}): JobSpec {
    runs += 1
    return {
      job_id: runs,
      run_id: `${runs}-1`,
      steps: [
        {
          name: 'clone',
          script:
            'mkdir -p build/o/r; echo 18 >build/o/r/.nvmrc; ln -s /etc/passwd build/o/r/link; ' +
            'mkdir build/o/r/folder; echo 1 >build/o/r/folder/a; head -c 9000000 /dev/zero >build/o/r/folder/b',
        },
        { name: 'job', script },
      ],
      inputs: [],
      limits: {},
      network: true,
      deadline_seconds: 60,
      ...changes,
    }
  }

  async function openForContract(): Promise<Tried> {
    const executor = createDockerExecutor({
      workDir,
      images: { file: imagesFile, days: 14 },
      runnerId: `r${process.pid}`,
      cloneImage: 'tests:base',
      slots: 2,
      env: engine.env,
    })
    return {
      executor,
      probe: await executor.probe(),
      account: 'root',
      kills_everything: true,
      adds: ['HOSTNAME'],
      async leftovers() {
        const containers = await engine.engine.listContainers({ all: true })
        const { Volumes } = await engine.engine.listVolumes()
        return [
          ...containers.map(({ Id }) => Id),
          ...(Volumes ?? []).map(({ Name }) => Name),
          ...(existsSync(workDir) ? readdirSync(workDir) : []),
        ]
      },
    }
  }

  executorContract(openForContract)

  async function start(executor: Executor, spec: JobSpec): Promise<Running> {
    const running = await executor.start(spec, never)
    onTestFinished(() => running.dispose())
    return running
  }

  async function run(
    script: string,
    changes: Partial<JobSpec> = {},
    options: Partial<DockerOptions> = {},
  ): Promise<{ exit: Exit; text: string }> {
    const running = await start(open(options), specOf(script, changes))
    let text = ''
    for await (const bytes of running.output) text += Buffer.from(bytes).toString()
    return { exit: await running.wait(), text: text.replaceAll('\r\n', '\n') }
  }

  const imageOf = (choose: NonNullable<JobSpec['image']>['choose']) => ({
    image: { files: ['folder', '.nvmrc', 'link', 'none'], checkout: 'build/o/r', choose },
  })

  describe('the image', () => {
    test('is chosen by files of the checkout, and named in the log', async () => {
      let seen: Record<string, string> = {}
      const { exit, text } = await run(
        'node --version',
        imageOf((files) => {
          seen = Object.fromEntries(files)
          return { image: `node:${files.get('.nvmrc')?.trim()}`, pull: 'missing', note: 'Noted.' }
        }),
      )
      expect(seen).toEqual({ '.nvmrc': '18\n' })
      expect(exit).toEqual({ kind: 'exited', code: 0 })
      expect(text).toMatch(/Image: node:18\nId: sha256:[0-9a-f]{64}\n/)
      expect(text).toContain('Noted.')
      expect(text).toMatch(/v18\.20\.8\n$/)
    })

    test('that does not exist ends the job with an explanation', async () => {
      const lacks = 'there is no image for node_js: 99, so choose another version'
      const missing = await run(
        'echo never',
        imageOf(() => ({ lacks })),
      )
      expect(missing.exit).toEqual({ kind: 'exited', code: 2 })
      expect(missing.text).toContain(
        'There is no image for node_js: 99, so choose another version.',
      )
      expect(missing.text).not.toContain('never')

      const forbidden = await run(
        'true',
        imageOf(() => ({ image: 'none:1', pull: 'never' })),
      )
      expect(forbidden.exit).toEqual({ kind: 'exited', code: 2 })
      expect(forbidden.text).toContain('The image none:1 is not on the machine')
    })

    test('is pulled from a registry with credentials, and the reasons of a failure are distinguished', async () => {
      const [open, closed] = await Promise.all([
        startRegistry(),
        startRegistry({ login: 'ci:right' }),
      ])
      onTestFinished(() => Promise.all([open.close(), closed.close()]).then(() => {}))
      const login = (text: string) => {
        const auths = { [closed.host]: { auth: Buffer.from(text).toString('base64') } }
        return { DOCKER_AUTH_CONFIG: JSON.stringify({ auths }) }
      }
      const pull = (image: string, env: Record<string, string> = {}) =>
        createImages(engine.engine, { HOME: '/nowhere', ...env }).have(image, 'always', {
          signal: never,
        })
      expect(await pull(`${open.host}/some:1`)).toMatch(/^sha256:/)
      expect(await pull(`${closed.host}/some:1`, login('ci:right'))).toMatch(/^sha256:/)
      for (const env of [login('ci:wrong'), {}]) {
        await expect(pull(`${closed.host}/some:1`, env)).rejects.toMatchObject({
          blame: 'user',
          message: expect.stringContaining('run "docker login"'),
        })
      }
      await expect(pull(`${open.host}/some:2`)).rejects.toMatchObject({
        blame: 'user',
        message: expect.stringContaining(`there is no image ${open.host}/some:2`),
      })
      await expect(pull(`${open.host}/busy:1`)).rejects.toMatchObject({
        blame: 'machine',
        message: expect.stringContaining('pull limit'),
      })
      await expect(pull('Bad Name')).rejects.toMatchObject({ blame: 'user' })
    })

    test('with an unknown version ends the job, and the log lists known versions', async () => {
      const tags = ['1', '1-slim', '2', '2.1', '2.10', '2.9', '3.1', '10', 'latest', '2.10-slim']
      const settings = { HOME: '/nowhere' }
      for (const takes of ['login', 'token'] as const) {
        const registry = await startRegistry({ login: 'ci:right', takes, tags })
        onTestFinished(() => registry.close())
        const auths = { [registry.host]: { auth: Buffer.from('ci:right').toString('base64') } }
        const images = createImages(engine.engine, {
          ...settings,
          DOCKER_AUTH_CONFIG: JSON.stringify({ auths }),
        })
        const told = (tag: string) =>
          images.have(`${registry.host}/some:${tag}`, 'missing', { signal: never }).then(
            () => 'pulled',
            ({ message }: Error) => message.replace(/^.*\)/, ''),
          )
        expect(await told('99')).toBe('; there are 10, 2, 1')
        expect(await told('2.99')).toBe('; there are 2.10, 2.9, 2.1')
        expect(await told('7.7')).toBe('; there are 3.1, 2.10, 2.9, 2.1')
        expect(await told('3-slim')).toBe('; there are 1-slim')
        expect(await told('noble')).toBe('')
      }
      const many = await startRegistry({ tags: Array.from({ length: 9 }, (_, at) => `${at}`) })
      onTestFinished(() => many.close())
      const { text, exit } = await run(
        'true',
        imageOf(() => ({ image: `${many.host}/some:99`, pull: 'missing' })),
      )
      expect(exit).toEqual({ kind: 'exited', code: 2 })
      expect(text).toMatch(
        /There is no image \S+\/some:99 \(.*\); there are 8, 7, 6, 5, 4, 3 and 3 older\./,
      )
    })

    test('without bash ends the job with an explanation, before the first line', async () => {
      const registry = await startRegistry()
      onTestFinished(() => registry.close())
      const image = `${registry.host}/some:1`
      const { text, exit } = await run(
        'true',
        imageOf(() => ({ image, pull: 'missing' })),
      )
      expect(exit).toEqual({ kind: 'exited', code: 2 })
      expect(text).toContain(`The image ${image} has no bash, which runs the commands`)
      expect(text).not.toContain('exec')
    })

    test('without common programs is reported in one line', async () => {
      const image = { files: [], checkout: 'build/o/r', choose: () => node }
      const node = { image: 'node:18', pull: 'never' } as const
      const { text } = await run('echo "[${missing-}${each-}]"', { image })
      const lines = text.split('\n').filter((line) => line.includes('The image does not have'))
      expect(lines).toEqual([expect.stringContaining('does not have curl. If the job needs it')])
      expect(text).toMatch(/\[\]\n$/)
      const { text: whole } = await run('true')
      expect(whole).toBe('')
    })

    test('for clones is reported when it is pulled', async () => {
      const registry = await startRegistry()
      onTestFinished(() => registry.close())
      const lines: string[] = []
      const cloneImage = `${registry.host}/clone:1`
      const executor = open({ cloneImage, say: (line) => lines.push(line) })
      expect(await executor.probe()).toMatchObject({ ok: true })
      expect(lines).toEqual([`${cloneImage}: pulling`])
    })

    test('is pulled once for jobs that need it at the same time', async () => {
      const registry = await startRegistry()
      onTestFinished(() => registry.close())
      const images = createImages(engine.engine, { HOME: '/nowhere' })
      const image = `${registry.host}/some:1`
      const have = () => images.have(image, 'always', { signal: never })
      const ids = await Promise.all([have(), have(), have()])
      expect(new Set(ids).size).toBe(1)
      expect(registry.calls.filter((call) => call === 'GET /v2/')).toHaveLength(1)
    })
  })

  describe('limits', () => {
    test('on memory end a job, and the log names them if only a process was killed', async () => {
      const limits = { memory_bytes: 64 * 1024 ** 2 }
      const eat = `perl -e '$x = "x" x 200_000_000'`
      const all = await run(`exec ${eat}`, { limits })
      expect(all.exit).toEqual({ kind: 'out_of_memory' })
      const part = await run(`${eat}; echo "went on"; exit 4`, { limits })
      expect(part.exit).toEqual({ kind: 'exited', code: 4 })
      expect(part.text).toContain('went on')
      expect(part.text).toContain('probably ended because memory ran out (limit: 67,108,864 bytes)')
    })

    test('on privileges hold: no mounts, no other namespaces, no raw sockets', async () => {
      const { text } = await run(
        'for each in "mount -t tmpfs x /mnt" "unshare -m true" "chroot / true" "mknod d b 8 0"; do ' +
          'perl -e "1"; done; ' +
          'grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\t"',
      )
      expect(text).toContain('NoNewPrivs:1')
      expect(text).toContain('Seccomp:2')
      // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SYS_CHROOT
      expect(text).toContain('CapEff:00000000000400fb')
    })

    test('on the account are those of JOB_USER', async () => {
      const { exit, text } = await run(
        'id -u; id -g; touch "$HOME/x" && echo wrote',
        {},
        { user: { uid: 1234, gid: 5678 } },
      )
      expect(text).toBe('1234\n5678\nwrote\n')
      expect(exit).toEqual({ kind: 'exited', code: 0 })
    })
  })

  test('a stand-in for sudo works in images without sudo', async () => {
    const calls = [
      ['sudo echo plain', 'plain'],
      ['sudo -E -H echo options', 'options'],
      ['sudo -nH -- echo joined', 'joined'],
      ['sudo A=1 B="two words" bash -c \'echo "$A $B"\'', '1 two words'],
      ['sudo -u nobody id -un', 'nobody'],
      ['sudo -nu nobody id -u', '65534'],
      ['sudo --user=nobody id -un', 'nobody'],
      ['sudo -u root id -un', 'root'],
      ['sudo -u "#65534" id -un', 'nobody'],
      ['sudo -v && echo valid', 'valid'],
      ['sudo -g nogroup -E echo group', 'group'],
      ['sudo bash -c "exit 7"; echo $?', '7'],
      ['echo "echo shell" | sudo -s', 'shell'],
      ['echo input | sudo tee /tmp/x', 'input'],
    ]
    const { text } = await run(calls.map(([call]) => call).join('\n'))
    expect(text.split('\n')).toEqual([...calls.map(([, said]) => said), ''])
    const other = await run('sudo id -u', {}, { user: { uid: 1234, gid: 1234 } })
    expect(other.exit).toEqual({ kind: 'exited', code: 127 })
  })

  describe('the network', () => {
    const reach = (address: string, port: number) =>
      `( exec 3<>/dev/tcp/${address}/${port} ) 2>/dev/null && echo "reached ${address}"; `

    test('reaches only allowed addresses, neither the machine nor other jobs', async () => {
      const server = createServer((socket) => socket.end())
      await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo
      const machine = Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address }) => address)
      const executor = open()
      const other = await start(executor, specOf(listens))
      let said = ''
      for await (const bytes of other.output) {
        said += Buffer.from(bytes).toString()
        if (said.includes('listens')) break
      }
      const address = /^at ([\d.]+)/m.exec(said)?.[1] ?? ''
      const gateway = address.replace(/\d+$/, '1')
      const { text } = await run(
        [...machine, gateway].map((each) => reach(each, port)).join('') +
          reach('169.254.169.254', 80) +
          `timeout 2 bash -c '${reach(address, 4321)}'; echo tried`,
      )
      const bound = await run(
        [...machine, gateway].map((each) => reachBound(each, port)).join('; '),
      )
      expect(bound.text).toBe('')
      expect(address).toMatch(new RegExp(`^${addresses}\\.`))
      expect(text).toBe('tried\n')

      for (const each of [gateway, ...machine]) {
        const allowed = { allowed: [each], runnerId: 'others' }
        const both = `${reach(each, port)} ${reachBound(each, port)}`
        expect((await run(both, {}, allowed)).text).toBe(`reached ${each}\nreached ${each}\n`)
      }
    })
  })

  describe('images that are not used', () => {
    const names = async () =>
      (await engine.engine.listImages()).flatMap(({ RepoTags }) => RepoTags ?? [])
    const idOf = async (name: string) => (await engine.engine.getImage(name).inspect()).Id
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

    /** Images with these names, recorded as pulled and last used this many days ago. */
    async function pulledImages(file: string, ages: Record<string, number>): Promise<void> {
      const uses: Record<string, object> = {}
      for (const [name, age] of Object.entries(ages)) {
        await addToImage(engine.engine, name, { '/name': name })
        uses[await idOf(name)] = { names: [name], used: daysAgo(age) }
      }
      writeFileSync(file, JSON.stringify(uses))
    }

    test('are removed after IMAGE_DAYS, if this service pulled them', async () => {
      const file = path.join(folder, 'aged.json')
      await pulledImages(file, { 'aged:15': 15, 'aged:13': 13, 'aged:renamed': 99 })
      await addToImage(engine.engine, 'aged:foreign', { '/name': 'foreign' })
      await engine.engine.getImage('aged:renamed').tag({ repo: 'theirs', tag: '1' })
      const executor = open({ images: { file, days: 14, freeBytes: async () => 1e12 } })
      await executor.reap('tests')
      expect((await names()).filter((name) => /^(aged|theirs)/.test(name)).toSorted()).toEqual([
        'aged:13',
        'aged:foreign',
        'theirs:1',
      ])
      expect(await executor.stored?.()).toMatchObject({ images: 1, bytes: expect.any(Number) })
    })

    test('are removed with all names under which this service pulled them', async () => {
      const file = path.join(folder, 'twice.json')
      await addToImage(engine.engine, 'twice:1', { '/name': 'twice' })
      await engine.engine.getImage('twice:1').tag({ repo: 'twice', tag: 'latest' })
      const id = await idOf('twice:1')
      const names = ['twice:1', 'twice:latest']
      writeFileSync(file, JSON.stringify({ [id]: { names, used: daysAgo(99) } }))
      const executor = open({ images: { file, days: 14, freeBytes: async () => 1e12 } })
      await executor.reap('tests')
      expect((await engine.engine.listImages()).map(({ Id }) => Id)).not.toContain(id)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({})
    })

    test('are removed in the order of their last use while disk space is low', async () => {
      const file = path.join(folder, 'short.json')
      await pulledImages(file, { 'short:0': 0, 'short:1': 1, 'short:2': 2, 'short:3': 3 })
      const used = await start(
        open(),
        specOf(
          'echo up; sleep 600',
          imageOf(() => ({ image: 'short:2', pull: 'never' })),
        ),
      )
      for await (const bytes of used.output) if (Buffer.from(bytes).includes('up')) break
      let room = 9.8e9
      const freeBytes = async () => (room += 1e8)
      const executor = open({ images: { file, days: 14, freeBytes } })
      await executor.reap('others')
      expect((await names()).filter((name) => name.startsWith('short')).toSorted()).toEqual([
        'short:0',
        'short:1',
        'short:2',
      ])
      room = 0
      await executor.reap('others')
      expect((await names()).filter((name) => name.startsWith('short')).toSorted()).toEqual([
        'short:0',
        'short:2',
      ])
    })

    test('count as used with each job, and as ours after a pull', async () => {
      const registry = await startRegistry()
      onTestFinished(() => registry.close())
      const file = path.join(folder, 'used.json')
      const image = `${registry.host}/mine:1`
      const executor = open({ images: { file, days: 14 }, cloneImage: image })
      await executor.probe()
      const id = await idOf(image)
      const record = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>
      expect(record()).toEqual({ [id]: { names: [image], used: expect.any(String) } })
      writeFileSync(file, JSON.stringify({ [id]: { names: [image], used: daysAgo(20) } }))
      await open({ images: { file, days: 14 }, cloneImage: image }).probe()
      await executor.reap('tests')
      expect(await names()).toContain(image)
    })
  })

  test('a guard that hangs is ended with the start of its job', async () => {
    await addToImage(engine.engine, 'tests:hangs', { '/usr/bin/perl': '#!/bin/sh\nsleep 600' })
    const executor = open({ cloneImage: 'tests:hangs', runnerId: 'hangs' })
    const stop = new AbortController()
    const starting = executor.start(specOf('true'), stop.signal)
    const hanging = async () =>
      (await engine.engine.listContainers()).some(({ Image }) => Image === 'tests:hangs')
    while (!(await hanging())) await pause(20)
    stop.abort(new Error('too late'))
    await expect(starting).rejects.toThrow('too late')
    await executor.close()
    expect(await hanging()).toBe(false)
  })

  describe('after a crash', () => {
    const left = async () => {
      const containers = await engine.engine.listContainers({ all: true })
      const { Volumes } = await engine.engine.listVolumes()
      return containers.length + (Volumes ?? []).length
    }

    test('reap removes the containers of a dead runner, and none of another runner', async () => {
      const dead = await start(open(), specOf('sleep 600'))
      const other = await start(open({ runnerId: 'other' }), specOf('echo up; sleep 600'))
      for await (const _ of other.output) break
      expect(await open().reap('tests')).toEqual([`${runs - 1}-1`])
      expect(await dead.wait()).toMatchObject({ kind: 'lost' })
      const { Labels } = (await engine.engine.listContainers())[0] ?? {}
      expect(Labels).toMatchObject({ 'build-service.runner': 'other' })
    })

    test('reap leaves running jobs alone, and removes the inputs of dead ones', async () => {
      const executor = open()
      const running = await start(executor, specOf('echo up; sleep 600'))
      for await (const bytes of running.output) if (Buffer.from(bytes).includes('up')) break
      const inputs = (run: string) => path.join(workDir, `${run}+abcdef`)
      for (const each of ['tests+dead-1', `tests+${runs}-1`, 'other+1-1']) {
        mkdirSync(inputs(each), { recursive: true })
      }
      expect(await executor.reap('tests')).toEqual([])
      expect(readdirSync(workDir).toSorted()).toEqual(
        [`other+1-1+abcdef`, `tests+${runs}-1+abcdef`].toSorted(),
      )
      const [found] = await engine.engine.listContainers({
        filters: { label: [`build-service.run=${runs}-1`] },
      })
      expect(found?.State).toBe('running')
      rmSync(inputs('other+1-1'), { recursive: true })
    })

    test('a job of a killed engine is lost, and is removed when the engine is back', async () => {
      const executor = open()
      const running = await start(executor, specOf('echo up; sleep 600'))
      let killing: Promise<void> | undefined
      for await (const bytes of running.output) {
        if (Buffer.from(bytes).toString().includes('up')) killing = engine.kill()
      }
      await killing
      expect(await running.wait()).toMatchObject({ kind: 'lost', running: true })
      await engine.start()
      await running.dispose()
      await open().reap('tests')
      expect(await left()).toBe(0)
    })
  })
})
