! Errors: with stat= a code and a sentence, without it the program stops with the sentence.
program errors
  use isofold
  implicit none
  real :: x(3, 4), smallest
  integer :: code
  character(200) :: sentence
  type(isofold_reducer) :: reducer

  x = 1
  smallest = isofold_minimum(x, x > 2, stat=code, errmsg=sentence)
  if (code == isofold_empty_input) print "(a)", "The mask takes no element."

  smallest = isofold_minimum(x, [.true.], stat=code, errmsg=sentence)
  if (code /= 0) print "(a)", trim(sentence)

  call reducer%create("cuda", stat=code, errmsg=sentence)
  if (code == isofold_backend_unavailable) call reducer%create("openmp", threads=2, stat=code)
  if (code /= 0) call reducer%create("reference")
  smallest = isofold_minimum(x, reducer=reducer, stat=code, errmsg=sentence)
  if (code == isofold_wrong_memory) smallest = isofold_minimum(x)  ! cuda is here, and x is host memory
  print "(a, f4.1)", "minimum ", smallest
end program errors
