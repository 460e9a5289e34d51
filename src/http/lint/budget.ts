import { type Quota, tooManyRequests } from '../../domain/errors.ts'
import { type RateAllowance, refilling } from '../identity/token-bucket.ts'

/**
 * Computing time that all linter tasks of an IP address share: the maximum of a burst, refilled each minute.
 */
const budgetOfAddress = { milliseconds: 10_000, seconds: 60 }

/** Milliseconds reserved for a task until its cost is known. */
const portion = 250

/** Minimum cost of a task: even the smallest one costs time in the service around the linter. */
const least = 5

export interface Budget {
  /**
   * Runs a task for an address at the address's expense, after its earlier tasks, so that others do not
   * wait for all of them. Throws if the address's time is used up.
   */
  spend<T extends { spent: number }>(address: string, task: () => Promise<T>): Promise<T>
  /** The time that an address has left, in whole seconds. */
  quotaOf(address: string): Quota
}

interface Account {
  /** Milliseconds reserved for unfinished tasks. */
  setAside: number
  turn: Promise<unknown>
}

/** Counts the computing time of each address's tasks, of all endpoints together. */
export function openBudget(now: () => Date): Budget {
  const accounts = refilling<Account>(now, {
    most: budgetOfAddress.milliseconds,
    seconds: budgetOfAddress.seconds,
    fresh: () => ({ setAside: 0, turn: Promise.resolve() }),
    isIdle: ({ setAside }) => setAside === 0,
  })

  function quota({ left, setAside }: RateAllowance & Account): Quota {
    const { milliseconds } = budgetOfAddress
    const free = Math.max(0, left - setAside)
    return {
      limit: milliseconds / 1000,
      remaining: Math.floor(free / 1000),
      reset: Math.ceil((milliseconds - free) / accounts.rate / 1000),
    }
  }

  function refusal(account: RateAllowance & Account) {
    const { left, setAside } = account
    return tooManyRequests((portion + setAside - left) / accounts.rate, quota(account))
  }

  return {
    quotaOf: (address) => quota(accounts.of(address)),
    async spend(address, task) {
      const account = accounts.of(address)
      if (account.left - account.setAside < portion) throw refusal(account)
      account.setAside += portion
      const done = account.turn.then(() => {
        // Earlier tasks may have cost more than was reserved.
        if (account.left <= 0) throw refusal(account)
        return charged(account, task)
      })
      account.turn = done.catch(() => undefined)
      return done.finally(() => (account.setAside -= portion))
    },
  }
}

/** Runs a task and charges its cost to the account. Its result or its error contains the cost. */
async function charged<T extends { spent: number }>(
  account: RateAllowance,
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
