-- diagnosis: a code or the beginning of one. A procedure that is listed is covered with these only.
return {
  summary = 'diagnoses that a procedure is paid with',
  columns = {
    { name = 'code', type = 'code' },
    { name = 'diagnosis', type = 'code' },
  },
  key = { 'code', 'diagnosis' },
}
