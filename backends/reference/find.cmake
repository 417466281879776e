# The reference backend needs nothing.
set(found TRUE)
set(why "the definition as sequential code")
