import { tooManyRequests } from '../../domain/errors.ts'
import { type Allowance, refilling } from '../refilling.ts'

/** What all that an address asks of the linter can take: as much at once, and as much per minute. */
const budgetOfAddress = { milliseconds: 10_000, seconds: 60 }

/** What is set aside for a task before it is known what it takes. */
const portion = 250

/** Even the smallest task costs the parts of the service around the linter some time. */
const least = 5

export interface Budget {
  /**
   * Does a task for an address at its expense, after those that it asked for before, so that others
   * do not wait for all of them. Throws where its time is used up.
   */
  spend<T extends { spent: number }>(address: string, task: () => Promise<T>): Promise<T>
}

interface Account {
  /** Set aside for tasks that are not done yet. */
  setAside: number
  turn: Promise<unknown>
}

/** Counts the computing time of the tasks of each address, of all doors together. */
export function openBudget(now: () => Date): Budget {
  const accounts = refilling<Account>(now, {
    most: budgetOfAddress.milliseconds,
    seconds: budgetOfAddress.seconds,
    fresh: () => ({ setAside: 0, turn: Promise.resolve() }),
    isIdle: ({ setAside }) => setAside === 0,
  })

  function refusal({ left, setAside }: Allowance & Account) {
    return tooManyRequests((portion + setAside - left) / accounts.rate)
  }

  return {
    async spend(address, task) {
      const account = accounts.of(address)
      if (account.left - account.setAside < portion) throw refusal(account)
      account.setAside += portion
      const done = account.turn.then(() => {
        // Those before it may have taken more than was set aside.
        if (account.left <= 0) throw refusal(account)
        return charged(account, task)
      })
      account.turn = done.catch(() => undefined)
      return done.finally(() => (account.setAside -= portion))
    },
  }
}

/** Does a task, and takes from the account what it cost, which its result or its error says. */
async function charged<T extends { spent: number }>(
  account: Allowance,
  task: () => Promise<T>,
): Promise<T> {
  try {
    const result = await task()
    account.left -= Math.max(least, result.spent)
    return result
  } catch (error) {
    account.left -= Math.max(least, spentBefore(error))
    throw error
  }
}

function spentBefore(error: unknown): number {
  const { spent } = error as { spent?: unknown }
  return typeof spent === 'number' ? spent : 0
}
