//! What an unlabelled clip is: the step that paper 4 leaves to future work.
