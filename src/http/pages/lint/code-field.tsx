interface CodeFieldProps {
  id: string
  name: string
  rows: number
  placeholder: string
  text: string
}

/** A field for the unchanged text of a file. */
export function CodeField({ text, ...field }: CodeFieldProps) {
  return (
    <textarea {...field} spellcheck={false} autocapitalize="off" autocomplete="off">
      {/* A browser drops the first line break. */}
      {`\n${text}`}
    </textarea>
  )
}
