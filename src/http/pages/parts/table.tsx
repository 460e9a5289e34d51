import type { ComponentChildren } from 'preact'

interface TableProps {
  /** Read by screen readers alone. */
  caption: string
  columns: readonly string[]
  /** Its rows. */
  children: ComponentChildren
}

/** A table of reference, each column with its name. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
