import { setTimeout as pause } from 'node:timers/promises'
import { startCodehost } from '../../test/support/codehost/codehost.ts'
import type { Workplace } from '../harness/workplace.ts'

/** Lines that the log of each job has, between others. */
export const lines = 200

const buildFile = (jobs: number) => `language: generic
env: [${Array.from({ length: jobs }, (_, number) => `PART=${number + 1}`).join(', ')}]
script:
  - for number in $(seq ${lines}); do echo "line $number"; done
  - sleep 0.5
  - echo "this is the end"
`

/** A code host with one repository that is pushed to. */
export type Pushes = Awaited<ReturnType<typeof openPushes>>

/** `jobs`: how many jobs each push leads to. */
export async function openPushes(place: Workplace, url: string, jobs: number) {
  const host = await startCodehost({ webhookUrl: `${url}/webhooks/codehost` })
  place.keep({ close: () => host.stop() })
  host.limitRate(Number.MAX_SAFE_INTEGER)
  const repository = await host.addRepository({ files: { 'README.md': 'hello' } })
  const shas: string[] = []

  return {
    host,
    repository,
    jobs,
    shas,
    settings: {
      APP_ID: String(host.app.id),
      PRIVATE_KEY: host.app.privateKey,
      WEBHOOK_SECRET: host.app.webhookSecret,
      GHE_HOST: new URL(host.url).host,
      GHE_PROTOCOL: 'http',
    },
    /** Pushes commits, each to a branch of its own, with so many milliseconds between them. */
    async push(count: number, between: number) {
      for (let number = 1; number <= count; number++) {
        const branch = `branch-${number}`
        const files = { '.service.yml': `# ${number}\n${buildFile(jobs)}` }
        shas.push(await host.commit(repository, { branch, message: `Push ${number}`, files }))
        await pause(between)
      }
    },
    /** Delivers again what was not accepted, as people do with the button of the code host. */
    async redeliver(): Promise<number> {
      const accepted = new Set(host.deliveries.filter(isAccepted).map(({ guid }) => guid))
      const refused = new Map(
        host.deliveries.filter(({ guid }) => !accepted.has(guid)).map((each) => [each.guid, each]),
      )
      for (const { request, ...delivery } of refused.values()) {
        await host.deliver({ ...delivery, payload: request.payload, redelivery: true })
      }
      return refused.size
    },
  }
}

function isAccepted({ status_code }: { status_code: number }): boolean {
  return status_code >= 200 && status_code < 300
}
