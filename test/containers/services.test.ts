import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { JobConfig } from '../../src/domain/job/job.ts'
import type { Executor, Exit, JobSpec } from '../../src/runner/executor.ts'
import { createDockerExecutor } from '../../src/runner/executors/docker/executor.ts'
import { readImageMap } from '../../src/script/images/image-map.ts'
import { requestedServices } from '../../src/script/services/requested-services.ts'
import { command, scratchFolder } from '../support/command.ts'
import { startTestEngine, type TestEngine, whyNoEngine } from '../support/docker/engine.ts'
import { addToImage, importImage } from '../support/docker/images.ts'
import {
  importEngine,
  importPostgres,
  importRedis,
  whyNoServices,
} from '../support/docker/service-images.ts'
import { needs } from '../support/needs.ts'

const never = new AbortController().signal

const missing = whyNoEngine() ?? whyNoServices()

describe('services', needs({ tests: 'of services in containers', missing }), () => {
  let engine: TestEngine
  let runs = 0
  const workDir = mkdtempSync('/tmp/services-')

  beforeAll(async () => {
    engine = await startTestEngine()
    await engine.start()
    await importImage(engine.engine, 'tests:base')
    await importPostgres(engine.engine, 'postgres:16')
    await importRedis(engine.engine, 'redis:7')
    await importEngine(engine.engine, 'docker:27-dind')
    const failing = { '/fails': '#!/bin/bash\necho "cannot find its files" >&2\nexit 3\n' }
    await addToImage(engine.engine, 'memcached:1', failing, ['CMD ["/fails"]'])
  })
  afterAll(async () => {
    await engine.stop()
    rmSync(workDir, { recursive: true, force: true })
  })

  function open(): Executor {
    const executor = createDockerExecutor({
      workDir,
      runnerId: 'services',
      cloneImage: 'tests:base',
      slots: 2,
      images: { file: path.join(workDir, 'images.json'), days: 14 },
      env: engine.env,
    })
    onTestFinished(() => executor.close())
    return executor
  }

  const map = readImageMap('pull: never')

  function specOf(config: JobConfig, script: string, changes: Partial<JobSpec> = {}): JobSpec {
    runs += 1
    return {
      job_id: runs,
      run_id: `${runs}-1`,
      steps: [
        { name: 'clone', script: 'true' },
        { name: 'job', script },
      ],
      inputs: [],
      services: requestedServices(config, { slug: 'o/r', map, engine: false }),
      limits: {},
      network: true,
      deadline_seconds: 60,
      ...changes,
    }
  }

  async function run(
    config: JobConfig,
    script: string,
    changes: Partial<JobSpec> = {},
  ): Promise<{ exit: Exit; text: string }> {
    const running = await open().start(specOf(config, script, changes), never)
    onTestFinished(() => running.dispose())
    let text = ''
    for await (const bytes of running.output) text += Buffer.from(bytes).toString()
    const exit = await running.wait()
    await running.dispose()
    return { exit, text: text.replaceAll('\r\n', '\n') }
  }

  async function leftovers(): Promise<number> {
    const containers = await engine.engine.listContainers({ all: true })
    const { Volumes } = await engine.engine.listVolumes()
    return containers.length + (Volumes ?? []).length
  }

  test("can be reached at their ports and sockets, with clients missing from the job's image", async () => {
    const { exit, text } = await run(
      { services: ['postgresql', 'redis'] },
      `type -p psql redis-cli
      psql -U postgres -Atc 'create database app_test'
      psql -Atc "select 'as ' || current_user || ' in ' || current_database()"
      (cd / && sudo -u postgres psql -Atc "select 'as ' || current_user")
      psql -U service -h localhost -Atc "select 'by port ' || inet_server_port()"
      redis-cli set key value; redis-cli -h 127.0.0.1 -p 6379 get key
      exec 3<>/dev/tcp/localhost/6379 && printf 'PING\\r\\n' >&3 && read -r pong <&3 && echo "$pong"
      sudo service postgresql start; systemctl start redis-server.service; sudo service redis restart
      service mysql start; echo "code $?"
      systemctl start nonsense; echo "code $?"; systemctl daemon-reload; echo "reloaded $?"`,
    )
    expect(text).toContain('service_fold:start:services')
    expect(text).toContain('postgresql: postgres:16\n')
    expect(text).toContain('postgresql: ready\n')
    expect(text).toContain('redis: ready\n')
    expect(text.slice(text.indexOf('/usr/local')).split('\n')).toEqual([
      '/usr/local/lib/build-service/bin/psql',
      '/usr/local/lib/build-service/bin/redis-cli',
      'CREATE DATABASE',
      'as root in root',
      'as postgres',
      'by port 5432',
      'OK',
      '"value"',
      '+PONG\r',
      'The service postgresql already runs in a container of its own.',
      'The service redis-server already runs in a container of its own.',
      'The service redis runs in a container of its own: "restart" has no effect, and it keeps running.',
      'The service mysql does not run: add it to "services" in .service.yml.',
      'code 5',
      'There is no service nonsense in this container, which has no init system.',
      'code 5',
      'reloaded 0',
      '',
    ])
    expect(exit).toEqual({ kind: 'exited', code: 0 })
    expect(await leftovers()).toBe(0)
  })

  test('that fail are named with their last lines, and the job is not run', async () => {
    const { exit, text } = await run({ services: ['redis', 'memcached'] }, 'echo never')
    expect(exit).toEqual({ kind: 'exited', code: 2 })
    expect(text).toContain('The last lines of memcached:\ncannot find its files\n')
    expect(text).toContain(
      'The service "memcached" ended with exit code 3 before it accepted connections. The job was not run.',
    )
    expect(text).not.toContain('never\n')
    expect(await leftovers()).toBe(0)
  })

  test('with the same port, without an image, or unknown ones end the job with an explanation', async () => {
    const both = await run({ services: ['mysql'], addons: { mariadb: '10.4' } }, 'echo never')
    expect(both.exit).toEqual({ kind: 'exited', code: 2 })
    expect(both.text).toContain(
      '"mysql" and "mariadb", which both use port 3306: remove one of them.',
    )
    const absent = await run({ services: ['mongodb'] }, 'echo never')
    expect(absent.exit).toEqual({ kind: 'exited', code: 2 })
    expect(absent.text).toContain(
      'A service of this job has no image: the image mongo:7 is not on the machine, and IMAGES forbids to pull it.',
    )
    const unknown = await run({ services: ['haveged'] }, 'echo never')
    expect(unknown.text).toContain('the service "haveged", which this service does not know')
    expect(await leftovers()).toBe(0)
  })

  test('that end during a failing job are named at its end', async () => {
    const { exit, text } = await run(
      { services: 'redis' },
      'redis-cli shutdown nosave; sleep 1; redis-cli get key',
    )
    expect(exit).toEqual({ kind: 'exited', code: 1 })
    expect(text).toContain('The service "redis" ended with exit code 0 while the job ran.')
    expect(text).toContain('Redis is now ready to exit, bye bye')
  })

  test('share the memory limit of their job', async () => {
    const limits = { memory_bytes: 512 * 1024 ** 2 }
    const { text } = await run(
      { services: ['redis', 'postgresql'] },
      'cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null',
      { limits },
    )
    expect(text.trimEnd()).toMatch(new RegExp(`\\D${256 * 1024 ** 2}$`))
  })

  test('are started by run --docker if the build file names them', async () => {
    const folder = scratchFolder()
    const lines = [
      'language: shell',
      'services: [redis, postgres]',
      'addons: {postgresql: "9.6"}',
      'before_script: psql -U postgres -c "create database app"',
      'script: psql -U postgres -h localhost app -Atc "select 40 + 2" && redis-cli ping',
      'jobs:',
      '  include:',
      '    - name: data',
      '    - services: docker',
    ]
    writeFileSync(path.join(folder, '.service.yml'), lines.join('\n'))
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-q', '-m', 'one')
    const env = {
      DOCKER_HOST: engine.env['DOCKER_HOST'] ?? '',
      CLONE_IMAGE: 'tests:base',
      IMAGES: 'pull: never\ndefault: tests:base\nservices: {postgresql: "postgres:16"}',
    }
    const { code, stdout } = await command(['run', '--docker', folder], { env })
    expect(stdout).toContain('\n42\r\n')
    expect(stdout).toContain('\nPONG\r\n')
    expect(stdout).not.toContain('has no effect')
    expect(stdout).toContain('this service gives the jobs of "local" no Docker engine')
    expect(code).toBe(2)
    expect(await leftovers()).toBe(0)
  })

  test('include an engine if an administrator allows that, which builds and runs an image', async () => {
    const script = `cd "$HOME" && mkdir app && cd app && echo 'from the checkout' >file
      printf 'FROM mini\\nCOPY file /copied\\nCMD ["cat", "/copied", "/mounted/file"]\\n' >Dockerfile
      tar -cC / bin lib lib64 usr/bin/cat usr/lib/x86_64-linux-gnu/libc.so.6 usr/lib64 | docker import - mini
      DOCKER_BUILDKIT=0 docker build -q -t app . && docker run --rm --network none -v "$PWD:/mounted" app`
    const services = requestedServices({ services: 'docker' }, { slug: 'o/r', map, engine: true })
    const { exit, text } = await run({}, script, { services })
    expect({ exit, text }).toEqual({
      exit: { kind: 'exited', code: 0 },
      text: expect.stringContaining('from the checkout\nfrom the checkout\n'),
    })
    expect(await leftovers()).toBe(0)
  })

  test('are removed when a job is killed, and by reap after a crash', async () => {
    const executor = open()
    const script = 'echo up; sleep 600'
    const running = await executor.start(specOf({ services: 'redis' }, script), never)
    for await (const bytes of running.output) {
      if (Buffer.from(bytes).toString().includes('up')) break
    }
    expect(await leftovers()).toBeGreaterThan(3)
    await running.dispose()
    expect(await running.wait()).toEqual({ kind: 'killed' })
    expect(await leftovers()).toBe(0)

    const crashed = await executor.start(
      specOf({ services: ['redis', 'postgresql'] }, script),
      never,
    )
    for await (const bytes of crashed.output) {
      if (Buffer.from(bytes).toString().includes('up')) break
    }
    await open().reap('services')
    expect(await leftovers()).toBe(0)
    await crashed.dispose()
  })
})
