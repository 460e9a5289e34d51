import { readRef } from '../../domain/event.ts'
import { grouped } from '../../domain/grouped.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { type CaughtUp, catchUp as findMissed } from '../../flow/catch-up/catch-up.ts'
import { openApp } from '../../service/open/open-app.ts'
import { withRegisteredApp } from '../../service/registration/registered-app.ts'
import { UsageError } from '../errors.ts'
import { createLog } from '../log.ts'
import { printJson, withStore } from '../with-store.ts'

/** The sweep of the service enqueues the deliveries stored here. */
async function leaveToSweep(): Promise<void> {}
const adding = { enqueue: leaveToSweep, enqueueAll: leaveToSweep }

/** Finds missed webhooks and pushes. The running service processes them, or the next one that starts. */
export async function catchUp({ json }: { json?: boolean }): Promise<void> {
  await withStore(async ({ db, sealer }, config) => {
    const log = createLog(config)
    const { codehost } = await openApp(await withRegisteredApp(config, { db, sealer }), log)
    const codehosts = codehost ? { codehost } : {}
    const ctx = { db, sealer, codehosts, log, ...adding, config, now: () => new Date() }
    const found = await findMissed(ctx)
    if (!found) {
      throw new UsageError(
        'no app is set up: the service finds changes of local repositories whenever it starts',
      )
    }
    print(found, json)
    if (found.problem !== undefined) {
      throw new UsageError(`the check is incomplete: ${found.problem}`)
    }
  })
}

function print({ problem, ...found }: CaughtUp, json: boolean | undefined): void {
  if (json) return printJson(found)
  const { requested, pushes, unbuilt, first_looks } = found
  for (const line of firstLines(first_looks)) console.log(visible(line))
  if (requested.length + pushes.length + unbuilt.length === 0) {
    if (problem === undefined) console.log('nothing was missed')
    return
  }
  for (const guid of requested) console.log(`webhook ${visible(guid)} is sent again`)
  for (const { repository, ref, sha } of pushes) {
    console.log(visible(`a push to ${ref} of ${repository} was found: ${sha}`))
  }
  for (const line of unbuiltLines(unbuilt)) console.log(visible(line))
}

function firstLines(looks: CaughtUp['first_looks']): string[] {
  return [...grouped(looks, ({ repository }) => repository)].map(([repository, of]) => {
    const kinds = of.map((look) => look.of).join(' and ')
    return `${repository} was looked at for the first time: its ${kinds} were recorded, not built`
  })
}

function unbuiltLines(unbuilt: CaughtUp['unbuilt']): string[] {
  return [...grouped(unbuilt, ({ repository }) => repository)].map(([repository, tags]) => {
    const names = tags.map(({ ref }) => readRef(ref).name).join(', ')
    return (
      `${repository} has more new tags than are built at once; request builds of the ones that you ` +
      `need: ${names}`
    )
  })
}
