/** A part of a list that is ordered by ids. */
export interface IdPage {
  /** Only greater ids. */
  after: number
  most: number
}

const mostOnPage = 1000

/** All ids of a list, read page by page. */
export async function allIds(
  read: (page: IdPage) => Promise<readonly number[]>,
): Promise<number[]> {
  const all: number[] = []
  for (;;) {
    const ids = await read({ after: all.at(-1) ?? 0, most: mostOnPage })
    all.push(...ids)
    if (ids.length < mostOnPage) return all
  }
}
